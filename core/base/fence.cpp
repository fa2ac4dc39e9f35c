#include "core/base/fence.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <utf8proc.h>

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

/// Code points that show nothing, only change how others are shown, or have no shape that everybody
/// agrees on: models read them, people do not. A line feed and a tab are text.
bool is_unseen(char32_t c) {
    if (c == '\n' || c == '\t') return false;
    if (c >= ' ' && c < 0x7F) return false;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CS:
        case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_CN:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return true;
        default:
            break;
    }
    // Blanks that Unicode counts as symbols, letters or marks: of Braille, musical notation and
    // Khitan, and the place of an object that is not in the text.
    constexpr std::u32string_view kBlank = U"\u2800\uFFFC\U0001D159\U00016FE4";
    return kBlank.find(c) != kBlank.npos ||
           utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->ignorable != 0;
}

bool is_skin_tone(char32_t c) {
    return c >= 0x1F3FB && c <= 0x1F3FF;
}

bool is_emoji(char32_t c) {
    return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->boundclass ==
               UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC &&
           !is_unseen(c);
}

/// Letters and vowel signs of the scripts in which a joiner changes the form of what is before it:
/// from Arabic to Sinhala.
bool is_of_joined_script(char32_t c) {
    if (c < 0x600 || c >= 0xE00 || is_unseen(c)) return false;
    const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_LO || category == UTF8PROC_CATEGORY_LM ||
           category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC;
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

bool begins_with_emoji(std::string_view text) {
    return !text.empty() && is_emoji(take_code_point(text).first);
}

/// Receives the code points of a text one after the other, and knows what nobody sees and texts
/// may contain all the same (see `first_hidden`).
class HiddenFinder {
  public:
    /// `next` is the text behind it.
    bool is_hidden(char32_t c, std::string_view next) {
        const Before before = std::exchange(before_, kind_of(c));
        if (c == '\r') return !next.starts_with('\n');
        if (!is_unseen(c)) return false;
        if ((c == kTextStyle || c == kEmojiStyle) && before == Before::Emoji) {
            before_ = Before::StyledEmoji;
            return false;
        }
        if (before == Before::Emoji || before == Before::StyledEmoji)
            return c != kJoiner || !begins_with_emoji(next);
        return (c != kJoiner && c != kNonJoiner) || before != Before::Letter;
    }

  private:
    enum class Before { Other, Emoji, StyledEmoji, Letter };
    static constexpr char32_t kNonJoiner = 0x200C;
    static constexpr char32_t kJoiner = 0x200D;
    static constexpr char32_t kTextStyle = 0xFE0E;
    static constexpr char32_t kEmojiStyle = 0xFE0F;

    static Before kind_of(char32_t c) {
        if (c < 0x80) return Before::Other;
        if (is_skin_tone(c)) return Before::StyledEmoji;
        if (is_emoji(c)) return Before::Emoji;
        return is_of_joined_script(c) ? Before::Letter : Before::Other;
    }

    Before before_ = Before::Other;
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
        } else if (!is_unseen(c)) {
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

std::string code_of(const Hidden& hidden) {
    return code_of(hidden.code);
}

std::string to_text(const Hidden& hidden) {
    return code_of(hidden) + " (character " + std::to_string(hidden.position) + ")";
}

std::string fence(std::string_view text, std::string_view author, std::string_view provenance) {
    std::string fenced(kFenceBegin);
    fenced += author.empty() || !is_token(author) ? "unknown" : author;
    fenced += ", ";
    fenced += provenance.empty() || !is_token(provenance) ? "unverified" : provenance;
    return fenced.append(": ").append(visible(text)).append(kFenceEnd);
}

}  // namespace a2h
