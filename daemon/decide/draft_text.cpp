#include "daemon/decide/draft_text.h"

#include <algorithm>
#include <array>

#include "daemon/decide/draft_words.h"

namespace a2h::decide {
namespace {

/// This many digits, with the usual separators between them, are a telephone or account number.
constexpr std::size_t kLongNumberDigits = 7;
constexpr std::size_t kLongSpokenDigits = 4;
/// More single letters in a row than this are a word spelled apart: "w e c h a t".
constexpr std::size_t kSpelledLettersMax = 2;

bool is_smiley(char32_t c) {
    return (c >= 0x1F600 && c <= 0x1F64F) || c == 0x1F44B;
}

bool is_invisible_or_turning(char32_t c) {
    return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) || c == 0xAD ||
           c == 0x34F || c == 0x61C || c == 0x115F || c == 0x1160 || (c >= 0x17B4 && c <= 0x17B5) ||
           (c >= 0x180B && c <= 0x180F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0x2800 ||
           c == 0x3164 || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
           (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0x1BCA0 && c <= 0x1BCA3) ||
           (c >= 0xE0000 && c <= 0xE0FFF) || c == 0xFFFD;
}

bool is_ascii_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_spoken_digit(std::string_view character) {
    constexpr std::string_view kSpokenDigits = "零〇一二三四五六七八九幺两";
    return character.size() == 3 && kSpokenDigits.find(character) != std::string_view::npos;
}

/// Finds 138 0013 8000 and 一三八零零, however written.
bool has_long_number(std::string_view text) {
    constexpr std::string_view kBetween = " -().+/";
    std::size_t digits = 0;
    std::size_t spoken = 0;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        if (is_ascii_digit(text[i])) {
            ++digits;
        } else if (kBetween.find(text[i]) == std::string_view::npos) {
            digits = 0;
        }
        spoken = is_spoken_digit(text.substr(i, code_point_length(text, i))) ? spoken + 1 : 0;
        if (digits >= kLongNumberDigits || spoken >= kLongSpokenDigits) return true;
    }
    return false;
}

/// 五个: a numeral that counts. 一个 is like the article "a", and 一起 is a word.
bool has_unstated_count(const Reading& reading, const std::vector<WordMatch>& words,
                        const DraftSources& sources, const Vocabulary& vocabulary) {
    const std::string_view text = reading.text;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const std::string_view digit = text.substr(i, code_point_length(text, i));
        const std::size_t next = i + digit.size();
        if (!is_spoken_digit(digit) || digit == "一" || next >= text.size()) continue;
        if (vocabulary.money.measure_at(text, next) == 0) continue;
        const bool is_in_word = std::any_of(words.begin(), words.end(), [&](const WordMatch& word) {
            return word.begin < i && word.end >= next;
        });
        const std::string_view count = text.substr(i, digit.size() + code_point_length(text, next));
        if (!is_in_word && !sources.says(count)) return true;
    }
    return false;
}

bool has_calendar_number(const Reading& reading, const DraftSources& sources,
                         const Vocabulary& vocabulary) {
    const std::vector<std::string>& units = vocabulary.cues[Cue::CalendarUnit].all();
    const std::string_view text = reading.text;
    return std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
        const std::string_view behind = text.substr(number.end);
        return std::any_of(units.begin(), units.end(), [&](const std::string& unit) {
            return behind.starts_with(unit) &&
                   !sources.says(
                       text.substr(number.begin, number.end - number.begin + unit.size()));
        });
    });
}

/// Runs of Latin letters and digits.
class Tokens {
  public:
    Tokens(const Reading& reading, const DraftSources& sources)
        : reading_(reading), sources_(sources) {}

    void find(TextFindings& found) {
        const std::string& text = reading_.text;
        std::size_t alone = 0;
        for (std::size_t i = 0; i < text.size();) {
            const std::size_t end = end_of_token(i);
            if (end == i) {
                if (is_han(code_point_at(text, i))) alone = 0;
                i += code_point_length(text, i);
                continue;
            }
            found.has_contact = found.has_contact || is_mixed(i, end);
            found.has_link = found.has_link || is_label(i, end);
            alone = end - i == 1 ? alone + 1 : 0;
            found.is_spelled_apart = found.is_spelled_apart || alone > kSpelledLettersMax;
            i = end;
        }
    }

  private:
    std::size_t end_of_token(std::size_t begin) const {
        const std::string& text = reading_.text;
        while (begin < text.size() && (is_ascii_letter(text[begin]) || is_ascii_digit(text[begin])))
            ++begin;
        return begin;
    }

    /// True for "deckfox88", but not for "280cny" or text of a listing.
    bool is_mixed(std::size_t begin, std::size_t end) const {
        const std::string_view token(reading_.text.data() + begin, end - begin);
        if (std::none_of(token.begin(), token.end(), is_ascii_letter) ||
            std::none_of(token.begin(), token.end(), is_ascii_digit)) {
            return false;
        }
        return !sources_.says(token) &&
               std::none_of(reading_.numbers.begin(), reading_.numbers.end(),
                            [&](const NumberMention& number) {
                                return number.begin <= begin && number.end >= end;
                            });
    }

    /// The "example" of "example.com".
    bool is_label(std::size_t begin, std::size_t end) const {
        const std::string& text = reading_.text;
        return end - begin >= 2 && end + 2 < text.size() && text[end] == '.' &&
               is_ascii_letter(text[end + 1]) && is_ascii_letter(text[end + 2]);
    }

    const Reading& reading_;
    const DraftSources& sources_;
};

/// 微 信 and 微-信: characters written apart so that no list finds the word.
bool has_hidden_word(const std::string& text) {
    std::string joined;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = code_point_length(text, i);
        if (is_han(code_point_at(text, i)) || is_ascii_letter(text[i])) {
            joined += text.substr(i, length);
        }
        i += length;
    }
    constexpr ListSet kHidden =
        bit(DraftList::Contact) | bit(DraftList::Link) | bit(DraftList::Human);
    const auto words = draft_lexicon().find(joined);
    return std::any_of(words.begin(), words.end(), [&](const WordMatch& word) {
        const std::string_view hidden =
            std::string_view(joined).substr(word.begin, word.end - word.begin);
        return (word.lists & kHidden) != 0 && han_count(hidden) >= 2 &&
               text.find(hidden) == std::string::npos;
    });
}

}  // namespace

bool has_invisible_characters(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i))
        if (is_invisible_or_turning(code_point_at(text, i))) return true;
    return false;
}

bool is_plain_character(char32_t c) {
    constexpr std::string_view kMarkup = "`<>{}|\\^~_";
    if (c == '\n') return true;
    if (c < 0x20 || c == 0x7F) return false;
    if (c < 0x7F) return kMarkup.find(static_cast<char>(c)) == std::string_view::npos;
    if (is_han(c) || is_smiley(c)) return true;
    if (c >= 0x2010 && c <= 0x2026) return c != 0x2011;
    if (c >= 0x3000 && c <= 0x301F) return c != 0x3007 && c != 0x3013;
    if (c >= 0xFF01 && c <= 0xFF5E) return true;
    return c == 0xA3 || c == 0xA5 || c == 0xB7 || c == 0x20AC || c == 0xFFE5;
}

bool is_ascii_letter(char c) {
    return c >= 'a' && c <= 'z';
}

std::size_t han_count(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i))
        count += is_han(code_point_at(text, i)) ? 1 : 0;
    return count;
}

std::vector<std::string_view> links_in(std::string_view raw) {
    constexpr std::string_view kAround = "\"'()[]{}<>";
    constexpr std::string_view kBehind = ".,;:!?";
    const auto is_inside = [&](char c) {
        return c > 0x20 && c < 0x7F && kAround.find(c) == std::string_view::npos;
    };
    std::vector<std::string_view> links;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (!is_inside(raw[i])) continue;
        std::size_t end = i;
        while (end < raw.size() && is_inside(raw[end]))
            ++end;
        std::string_view token = raw.substr(i, end - i);
        while (!token.empty() && kBehind.find(token.back()) != std::string_view::npos)
            token.remove_suffix(1);
        if (token.find("://") != std::string_view::npos || token.starts_with("www.")) {
            links.push_back(token);
        }
        i = end;
    }
    return links;
}

TextFindings find_in_text(const Reading& reading, const std::vector<WordMatch>& words,
                          const DraftSources& sources, const Vocabulary& vocabulary) {
    TextFindings found;
    found.has_contact =
        has_long_number(reading.text) || reading.text.find('@') != std::string::npos;
    found.has_link = reading.text.find("//") != std::string::npos;
    Tokens(reading, sources).find(found);
    found.is_spelled_apart = found.is_spelled_apart || has_hidden_word(reading.text);
    found.has_count = has_unstated_count(reading, words, sources, vocabulary);
    found.has_date = has_calendar_number(reading, sources, vocabulary);
    return found;
}

}  // namespace a2h::decide
