// What is shown is what is sent, for every code point of Unicode and not for a sample.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "tests/support/unseen.h"

using namespace a2h;
using test::is_unseen;
using test::kLastCodePoint;
using test::utf8;

namespace {

constexpr char32_t kEmoji = 0x1F44D;
constexpr char32_t kArabicLetter = 0x6CC;

bool is_surrogate(char32_t c) {
    return c >= 0xD800 && c <= 0xDFFF;
}

/// True if `c` may be unseen between `before` and an ASCII letter; see `first_hidden`.
bool is_needed_after(char32_t before, char32_t c) {
    if (before == kEmoji) return c == 0xFE0E || c == 0xFE0F;
    return before == kArabicLetter && (c == 0x200C || c == 0x200D);
}

/// All that must hold for a text whose only possibly hidden code point is `c`.
void check_alone(const std::string& before, char32_t c, const std::string& after, bool hidden) {
    const std::string text = before + utf8(c) + after;
    const auto found = first_hidden(text);
    const std::string shown = shown_whole(text);
    const std::string on_terminal = printable(text);
    bool holds = found.has_value() == hidden;
    if (hidden) {
        const std::string coded = before + test::code_of(c) + after;
        holds = holds && found->code == c && shown == coded && on_terminal == coded &&
                !first_hidden(shown);
    } else {
        holds = holds && shown == text && (c == '\t' || on_terminal == text);
    }
    if (!holds) FAIL_CHECK("after '" << before << "' " << test::code_of(c) << ": " << shown);
}

}  // namespace

TEST_CASE("every code point that nobody sees is found and shown by its code") {
    std::size_t unseen = 0;
    for (char32_t c = 0; c <= kLastCodePoint; ++c) {
        if (is_surrogate(c)) continue;
        const bool hidden = is_unseen(c);
        unseen += hidden ? 1 : 0;
        check_alone("", c, "", hidden);
        check_alone("300", c, "b", hidden);
        check_alone("中", c, "", hidden);
        check_alone(utf8(kEmoji), c, "b", hidden && !is_needed_after(kEmoji, c));
        check_alone(utf8(kArabicLetter), c, " b", hidden && !is_needed_after(kArabicLetter, c));
    }
    MESSAGE(unseen << " code points are unseen");
    CHECK(unseen > 900'000);
}

TEST_CASE("half of a code point is no text, and is shown as a question mark") {
    for (char32_t c = 0xD800; c <= 0xDFFF; ++c) {
        const std::string text = "a" + utf8(c) + "b";
        const bool holds = !is_utf8(text) && shown_whole(text) == "a???b" &&
                           printable(text) == "a???b" && visible(text) == "a???b";
        if (!holds) FAIL_CHECK(test::code_of(c));
    }
}

TEST_CASE("no code point that nobody sees reaches a model") {
    for (char32_t c = 0; c <= kLastCodePoint; ++c) {
        if (is_surrogate(c)) continue;
        const std::string fenced = fence("300" + utf8(c) + "0", "ag_bob", "verified");
        const bool holds = is_unseen(c) ? fenced == "⟦ag_bob, verified: 3000⟧"
                                        : test::first_unseen(fenced).empty();
        if (!holds) FAIL_CHECK(test::code_of(c) << ": " << fenced);
    }
}

TEST_CASE("a text whose unseen characters are shown by their codes has none left") {
    // Whatever stands before it: what is hidden itself makes nothing behind it visible.
    const std::vector<char32_t> ends{'a',     '\n',   ' ',    kEmoji, kArabicLetter, 0x1F3FD,
                                     0x200C,  0x200D, 0xFE0E, 0xFE0F, 0x2800,        0x3164,
                                     0xE0061, 0x202E, 0xE000, 0x378,  0x1F1E9};
    for (const char32_t first : ends) {
        for (const char32_t second : ends) {
            for (const char32_t third : ends) {
                for (const char32_t fourth : ends) {
                    const std::string text =
                        utf8(first) + utf8(second) + utf8(third) + utf8(fourth);
                    const std::string shown = shown_whole(text);
                    const bool holds =
                        !first_hidden(shown) && (first_hidden(text).has_value() == (shown != text));
                    if (!holds) FAIL_CHECK(text << " is shown as " << shown);
                }
            }
        }
    }
}

TEST_CASE("a character that writing needs may be unseen, and is shown as it is sent") {
    const std::vector<std::pair<const char*, std::string>> allowed{
        {"a line feed", "one\ntwo"},
        {"a tab", "one\ttwo"},
        {"a sign in colour", "❤\ufe0f ©\ufe0f"},
        {"a sign in text style", "☎\ufe0e"},
        {"a family", "👩\u200d👩\u200d👧"},
        {"a joined sign with a style", "❤\ufe0f\u200d🔥"},
        {"a skin tone before a joiner", "👩🏽\u200d💻"},
        {"a Persian word", "می\u200cخواهم"},
        {"a Sinhala word", "ක්\u200dර"},
        {"a Malayalam final form", "ന്\u200d"}};
    for (const auto& [what, text] : allowed) {
        CAPTURE(what);
        CHECK_FALSE(first_hidden(text).has_value());
        CHECK(shown_whole(text) == text);
        if (text.find('\t') == std::string::npos) CHECK(printable(text) == text);
    }
    // A terminal has no columns to keep; a line ends once.
    CHECK(printable("one\ttwo") == "one two");
    CHECK(shown_whole("one\r\ntwo") == "one\ntwo");
    CHECK_FALSE(first_hidden("one\r\ntwo").has_value());
}

TEST_CASE("a joiner or style is hidden where writing does not need it") {
    for (const char* text :
         {"👍\u200d", "👍\u200da", "👍\u200d ", "👍\u200c👍", "👍\ufe0f\ufe0f", "👍\ufe0e\ufe0f",
          "👍\u200d\u200d👍", "あ\ufe0f", "〱\ufe0e", "می\u200c\u200cخ", "می\u200d\u200c",
          "中\u200c中", "1\ufe0f", "\u2800\ufe0f", "\u3164\u200d👍", "\U000E0061\u200d", "👍\ufe0d"})
        CHECK_MESSAGE(first_hidden(text).has_value(), text);
}
