#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/fence.h"

namespace a2h {
namespace {

/// Double quotation marks, and what looks like them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kSingle = {{{"“", "‘"},
                                                                                    {"”", "’"},
                                                                                    {"„", "‚"},
                                                                                    {"‟", "‛"},
                                                                                    {"\u275d", "‘"},
                                                                                    {"\u275e", "’"},
                                                                                    {"\u2033", "’"},
                                                                                    {"\u2036", "‘"},
                                                                                    {"\u02ba", "’"},
                                                                                    {"\u02ee", "’"},
                                                                                    {"\u301d", "‘"},
                                                                                    {"\u301e", "’"},
                                                                                    {"\u301f", "’"},
                                                                                    {"\uff02", "'"},
                                                                                    {"\"", "'"}}};

constexpr std::size_t kPreviewCodePoints = 100;
constexpr std::string_view kIdeographicSpace = "\xe3\x80\x80";  // U+3000
constexpr std::string_view kFullWidthZero = "\xef\xbc\x90";     // U+FF10
constexpr std::string_view kFullWidthNine = "\xef\xbc\x99";     // U+FF19

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Number of bytes of the code point whose first byte is `lead`; 0 if no code point begins with it.
std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

bool is_valid_second(unsigned char lead, unsigned char second) {
    switch (lead) {
        case 0xE0:
            return second >= 0xA0 && second <= 0xBF;
        case 0xED:
            return second >= 0x80 && second <= 0x9F;
        case 0xF0:
            return second >= 0x90 && second <= 0xBF;
        case 0xF4:
            return second >= 0x80 && second <= 0x8F;
        default:
            return second >= 0x80 && second <= 0xBF;
    }
}

bool is_ascii_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool folds_to_space(std::string_view code_point) {
    if (code_point.size() == 1) {
        const auto c = static_cast<unsigned char>(code_point[0]);
        return c <= 0x20 || c == 0x7F;
    }
    return code_point == kIdeographicSpace || code_point == "\xc2\xa0";  // U+00A0
}

std::string_view code_point_at(std::string_view text, std::size_t position) {
    std::size_t end = position + 1;
    while (end < text.size() && is_continuation(text[end]))
        ++end;
    return text.substr(position, end - position);
}

}  // namespace

bool is_utf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = sequence_length(lead);
        if (length == 0 || text.size() - i < length) return false;
        if (length > 1 && !is_valid_second(lead, static_cast<unsigned char>(text[i + 1]))) {
            return false;
        }
        for (std::size_t k = 2; k < length; ++k) {
            if (!is_continuation(text[i + k])) return false;
        }
        i += length;
    }
    return true;
}

std::size_t code_point_count(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text) {
        if (!is_continuation(c)) ++count;
    }
    return count;
}

std::size_t utf16_count(std::string_view text) {
    // A code point of four bytes takes two units.
    const auto is_long = [](char c) { return static_cast<unsigned char>(c) >= 0xF0; };
    const auto pairs = std::count_if(text.begin(), text.end(), is_long);
    return code_point_count(text) + static_cast<std::size_t>(pairs);
}

std::string_view truncate(std::string_view text, std::size_t max_code_points) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_continuation(text[i])) continue;
        if (count == max_code_points) return text.substr(0, i);
        ++count;
    }
    return text;
}

std::string one_line(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    bool pending_space = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view code_point = code_point_at(text, i);
        i += code_point.size();
        if (folds_to_space(code_point)) {
            pending_space = !line.empty();
            continue;
        }
        if (pending_space) line += ' ';
        line += code_point;
        pending_space = false;
    }
    return line;
}

std::string preview(std::string_view text) {
    std::string line = one_line(text);
    if (code_point_count(line) <= kPreviewCodePoints) return line;
    return std::string(truncate(line, kPreviewCodePoints - 1)) + "…";
}

std::string printable(std::string_view text) {
    std::string shown = shown_whole(text);
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    return shown;
}

std::string escape_markup(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else {
            out += c;
        }
    }
    return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

std::string_view trim(std::string_view text) {
    while (!text.empty()) {
        if (is_ascii_space(text.front())) {
            text.remove_prefix(1);
        } else if (text.starts_with(kIdeographicSpace)) {
            text.remove_prefix(kIdeographicSpace.size());
        } else {
            break;
        }
    }
    while (!text.empty()) {
        if (is_ascii_space(text.back())) {
            text.remove_suffix(1);
        } else if (text.ends_with(kIdeographicSpace)) {
            text.remove_suffix(kIdeographicSpace.size());
        } else {
            break;
        }
    }
    return text;
}

std::string plain_digits(std::string_view typed) {
    std::string digits;
    while (!typed.empty()) {
        const std::string_view one = code_point_at(typed, 0);
        if (one.size() == 3 && one >= kFullWidthZero && one <= kFullWidthNine) {
            digits += static_cast<char>('0' + (one.back() - kFullWidthZero.back()));
        } else if (!folds_to_space(one)) {
            digits += one;
        }
        typed.remove_prefix(one.size());
    }
    return digits;
}

std::string with_single_quotes(std::string text) {
    for (const auto& [twice, once] : kSingle) {
        for (std::size_t at = text.find(twice); at != std::string::npos;
             at = text.find(twice, at + once.size()))
            text.replace(at, twice.size(), once);
    }
    return text;
}

}  // namespace a2h
