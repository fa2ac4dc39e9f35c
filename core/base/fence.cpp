#include "core/base/fence.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/text.h"

namespace a2h {
namespace {

/// "confirm-service-completed" has three words; a disguised sentence has more.
constexpr int kTokenWordsMax = 4;
constexpr std::size_t kWordLetters = 3;
constexpr std::string_view kSeparators = "_.:/+=@-";

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_decimal(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex_letter(char c) {
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A line feed and a tab are text.
bool is_control(char32_t c) {
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
}

/// Code points that show nothing or only change how others are shown: Unicode's format characters
/// and default ignorable ones, and blanks other than spaces. Models read them, people do not.
bool is_unseen(char32_t c) {
    constexpr std::pair<char32_t, char32_t> kUnseen[] = {
        {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},     {0x61C, 0x61C},
        {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
        {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},
        {0x2028, 0x202E},   {0x2060, 0x206F},   {0x2800, 0x2800},   {0x3164, 0x3164},
        {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
        {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x16FE4, 0x16FE4},
        {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    return std::any_of(std::begin(kUnseen), std::end(kUnseen),
                       [&](const auto& range) { return c >= range.first && c <= range.second; });
}

/// Whether `c` joins or varies the preceding character `shown`, as in emoji and in scripts that
/// need it, from Arabic to Sinhala.
bool is_joiner_after(char32_t c, char32_t shown) {
    const bool is_symbol = (shown >= 0x203C && shown < 0x3300) || shown >= 0x1F000;
    const bool is_joined_script = shown >= 0x600 && shown < 0xE00;
    if (c == 0xFE0E || c == 0xFE0F) return is_symbol;
    return (c == 0x200C || c == 0x200D) && (is_symbol || is_joined_script);
}

/// The replacement for a fence mark or a similar character; '\0' for all others.
char bracket_instead_of(char32_t c) {
    if (c == 0x27E6 || c == 0x301A || c == 0x27EC || c == 0x2E28 || c == 0x2985) return '[';
    if (c == 0x27E7 || c == 0x301B || c == 0x27ED || c == 0x2E29 || c == 0x2986) return ']';
    return '\0';
}

/// Removes the first code point from `text`, which is UTF-8.
std::pair<char32_t, std::string_view> take_code_point(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        c = (c << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    const std::string_view bytes = text.substr(0, length);
    text.remove_prefix(length);
    return {c, bytes};
}

/// Receives the code points of a text one after the other.
class HiddenFinder {
  public:
    /// `next` is the text behind it. A carriage return alone lets a terminal write over the line.
    bool is_hidden(char32_t c, std::string_view next) {
        if (c == '\r') return !next.starts_with('\n');
        const bool joins = is_joiner_after(c, shown_);
        joiners_ = joins ? joiners_ + 1 : 0;
        if (!joins) shown_ = c;
        return is_control(c) || (is_unseen(c) && !joins) || joiners_ > kJoinersMax;
    }

  private:
    static constexpr int kJoinersMax = 2;
    int joiners_ = 0;
    char32_t shown_ = 0;
};

/// `text`, which is not UTF-8, with "?" for each byte that does not belong to a character.
std::string with_question_marks(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t length = 1;
        while (length < text.size() && length < 4 && !is_utf8(text.substr(0, length)))
            ++length;
        if (is_utf8(text.substr(0, length))) {
            out += text.substr(0, length);
            text.remove_prefix(length);
        } else {
            out += '?';
            text.remove_prefix(1);
        }
    }
    return out;
}

std::string code_of(char32_t c) {
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(c));
    return code;
}

}  // namespace

int count_words(std::string_view text) {
    int words = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.size() >= kWordLetters && std::all_of(part.begin(), part.end(), is_letter) &&
            !std::all_of(part.begin(), part.end(), is_hex_letter)) {
            ++words;
        }
    }
    return words;
}

bool is_token(std::string_view text) {
    const auto may_be_in = [](char c) {
        return is_letter(c) || is_decimal(c) || kSeparators.find(c) != kSeparators.npos;
    };
    return text.size() <= kTokenCharsMax && std::all_of(text.begin(), text.end(), may_be_in) &&
           count_words(text) <= kTokenWordsMax;
}

std::string visible(std::string_view text) {
    const std::string readable = is_utf8(text) ? std::string() : with_question_marks(text);
    if (!readable.empty()) text = readable;
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto [c, bytes] = take_code_point(text);
        if (const char bracket = bracket_instead_of(c); bracket != '\0') {
            out += bracket;
        } else if (c == '\t') {
            out += ' ';
        } else if (!is_control(c) && !is_unseen(c)) {
            out += bytes;
        }
    }
    return out;
}

std::string shown_whole(std::string_view text) {
    // Text that is not UTF-8 cannot be sent.
    const std::string readable = is_utf8(text) ? std::string() : with_question_marks(text);
    if (!readable.empty()) text = readable;
    HiddenFinder finder;
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto [c, bytes] = take_code_point(text);
        if (c == '\r' && text.starts_with('\n')) continue;
        if (finder.is_hidden(c, text)) {
            out.append("[").append(code_of(c)).append("]");
        } else {
            out += bytes;
        }
    }
    return out;
}

std::optional<Hidden> first_hidden(std::string_view text) {
    HiddenFinder finder;
    for (std::size_t position = 1; !text.empty(); ++position) {
        const char32_t c = take_code_point(text).first;
        if (finder.is_hidden(c, text)) return Hidden{c, position};
    }
    return std::nullopt;
}

std::string to_text(const Hidden& hidden) {
    return code_of(hidden.code) + " (character " + std::to_string(hidden.position) + ")";
}

std::string fence(std::string_view text, std::string_view author, std::string_view provenance) {
    std::string fenced(kFenceBegin);
    fenced += author.empty() || !is_token(author) ? "unknown" : author;
    fenced += ", ";
    fenced += provenance.empty() || !is_token(provenance) ? "unverified" : provenance;
    return fenced.append(": ").append(visible(text)).append(kFenceEnd);
}

}  // namespace a2h
