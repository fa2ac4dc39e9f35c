#include "core/wire/canonical.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/check.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

/// How values are spelt. The default is RFC 8785.
struct Form {
    bool is_go = false;  ///< keys sorted by bytes, `<`, `>`, `&`, U+2028, U+2029 escaped, `-0`
    bool long_escapes = false;  ///< U+0008 and U+000C as Go before 1.22 writes them
    bool escapes_fffd = false;  ///< U+FFFD as Go writes it for bytes that are not UTF-8
};

constexpr std::int64_t kExactIntegerMax = 9'007'199'254'740'992;  // 2^53

/// True if `a` comes before `b` in UTF-16. Bytes of UTF-8 sort by code point, which differs in one
/// case: code points above U+FFFF (lead byte F0 and up) are surrogates in UTF-16 and come before
/// U+E000 to U+FFFF (lead bytes EE and EF).
bool before_in_utf16(std::string_view a, std::string_view b) {
    const auto [pa, pb] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (pb == b.end()) return false;
    if (pa == a.end()) return true;
    const auto ca = static_cast<unsigned char>(*pa);
    const auto cb = static_cast<unsigned char>(*pb);
    const bool a_is_surrogate = ca >= 0xF0;
    const bool b_is_surrogate = cb >= 0xF0;
    if (a_is_surrogate != b_is_surrogate && ca >= 0xEE && cb >= 0xEE) return a_is_surrogate;
    return ca < cb;
}

bool has_high_byte(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0xEE; });
}

/// Writes digits and exponent like ECMAScript's Number::toString; `digits` has no point, and the
/// value is 0.d1d2d3… × 10^point.
void append_laid_out(std::string& out, std::string_view digits, int point) {
    const int count = static_cast<int>(digits.size());
    if (point > 21 || point <= -6) {
        out += digits[0];
        if (count > 1) {
            out += '.';
            out += digits.substr(1);
        }
        out += point > 0 ? "e+" : "e-";
        out += std::to_string(std::abs(point - 1));
    } else if (point <= 0) {
        out += "0.";
        out.append(static_cast<std::size_t>(-point), '0');
        out += digits;
    } else if (count <= point) {
        out += digits;
        out.append(static_cast<std::size_t>(point - count), '0');
    } else {
        out += digits.substr(0, static_cast<std::size_t>(point));
        out += '.';
        out += digits.substr(static_cast<std::size_t>(point));
    }
}

void append_double(std::string& out, double value, Form form) {
    A2H_CHECK(std::isfinite(value));
    if (value == 0) {
        out += form.is_go && std::signbit(value) ? "-0" : "0";
        return;
    }
    // The shortest digits that parse to the same value, in the form d.ddde±xx.
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value),
                                   std::chars_format::scientific)
                         .ptr;
    const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
    const std::size_t e = text.find('e');
    std::string digits(1, text[0]);
    if (e > 2) digits += text.substr(2, e - 2);
    int exponent = 0;
    const char* first = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(first, end, exponent);
    if (value < 0) out += '-';
    append_laid_out(out, digits, exponent + 1);
}

void append_integer(std::string& out, std::int64_t value, Form form) {
    if (value > kExactIntegerMax || value < -kExactIntegerMax) {
        append_double(out, static_cast<double>(value), form);
        return;
    }
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, static_cast<std::size_t>(end - buffer));
}

void append_unsigned(std::string& out, std::uint64_t value, Form form) {
    if (value > static_cast<std::uint64_t>(kExactIntegerMax)) {
        append_double(out, static_cast<double>(value), form);
    } else {
        append_integer(out, static_cast<std::int64_t>(value), form);
    }
}

/// A signed zero was read from `-0`, because the parser reads `0` as unsigned.
void append_signed(std::string& out, std::int64_t value, Form form) {
    value == 0 ? append_double(out, -0.0, form) : append_integer(out, value, form);
}

/// The short escape of `c`; empty if there is none.
std::string_view escape_of(char c, Form form) {
    if (form.long_escapes && (c == '\b' || c == '\f')) return {};
    switch (c) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\b':
            return "\\b";
        case '\t':
            return "\\t";
        case '\n':
            return "\\n";
        case '\f':
            return "\\f";
        case '\r':
            return "\\r";
        default:
            return {};
    }
}

void append_unicode_escape(std::string& out, unsigned char c) {
    constexpr char kHex[] = "0123456789abcdef";
    out += "\\u00";
    out += kHex[c >> 4];
    out += kHex[c & 0x0F];
}

/// The escape that Go writes for the character of three bytes at `place`; empty if it needs none.
std::string_view go_escape_of(std::string_view whole, std::size_t place, Form form) {
    if (!form.is_go || (whole[place] != '\xe2' && whole[place] != '\xef')) return {};
    const std::string_view text = whole.substr(place, 3);
    if (text == "\xe2\x80\xa8") return "\\u2028";
    if (text == "\xe2\x80\xa9") return "\\u2029";
    if (form.escapes_fffd && text == "\xef\xbf\xbd") return "\\ufffd";
    return {};
}

void append_string(std::string& out, std::string_view text, Form form) {
    out += '"';
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool html = form.is_go && (c == '<' || c == '>' || c == '&');
        const auto separator = go_escape_of(text, i, form);
        const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
        if (plain && !html && separator.empty()) continue;
        out += text.substr(copied, i - copied);
        if (!separator.empty()) {
            i += 2;
            out += separator;
        } else if (const auto escape = escape_of(c, form); !escape.empty()) {
            out += escape;
        } else {
            append_unicode_escape(out, static_cast<unsigned char>(c));
        }
        copied = i + 1;
    }
    out += text.substr(copied);
    out += '"';
}

void append_value(std::string& out, const json& value, Form form);

void append_object(std::string& out, const json::object_t& object, Form form) {
    std::vector<const json::object_t::value_type*> members;
    members.reserve(object.size());
    bool sorted = true;  // the map is ordered by bytes
    for (const auto& member : object) {
        members.push_back(&member);
        sorted = sorted && (form.is_go || !has_high_byte(member.first));
    }
    if (!sorted) {
        std::sort(members.begin(), members.end(),
                  [](const auto* a, const auto* b) { return before_in_utf16(a->first, b->first); });
    }
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0) out += ',';
        append_string(out, members[i]->first, form);
        out += ':';
        append_value(out, members[i]->second, form);
    }
    out += '}';
}

void append_array(std::string& out, const json::array_t& array, Form form) {
    out += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (i > 0) out += ',';
        append_value(out, array[i], form);
    }
    out += ']';
}

void append_value(std::string& out, const json& value, Form form) {
    switch (value.type()) {
        case json::value_t::null:
            out += "null";
            return;
        case json::value_t::boolean:
            out += value.get<bool>() ? "true" : "false";
            return;
        case json::value_t::number_integer:
            append_signed(out, value.get<std::int64_t>(), form);
            return;
        case json::value_t::number_unsigned:
            append_unsigned(out, value.get<std::uint64_t>(), form);
            return;
        case json::value_t::number_float:
            append_double(out, value.get<double>(), form);
            return;
        case json::value_t::string:
            append_string(out, value.get_ref<const std::string&>(), form);
            return;
        case json::value_t::array:
            append_array(out, value.get_ref<const json::array_t&>(), form);
            return;
        case json::value_t::object:
            append_object(out, value.get_ref<const json::object_t&>(), form);
            return;
        case json::value_t::binary:
        case json::value_t::discarded:
            break;
    }
    A2H_CHECK(false);
}

/// False if Go certainly spells a value like `canonical`. A zero may have been `-0`.
bool may_differ_in_go(std::string_view canonical) {
    for (std::size_t i = 0; i < canonical.size(); ++i) {
        const char c = canonical[i];
        if (c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) >= 0xEE) return true;
        if (c == '\xe2' && canonical.substr(i, 2) == "\xe2\x80") return true;
        const char before = i > 0 ? canonical[i - 1] : '\0';
        if ((c == 'b' || c == 'f') && before == '\\') return true;
        if (c == '0' && (before == ':' || before == ',' || before == '[')) return true;
    }
    return false;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
    append_string(out, text, {});
}

std::string canonical_json(const json& value) {
    std::string out;
    append_value(out, value, {});
    return out;
}

std::vector<std::string> go_forms(const json& value, const std::string& canonical) {
    std::vector<std::string> forms;
    if (!may_differ_in_go(canonical)) return forms;
    for (const bool long_escapes : {false, true}) {
        for (const bool escapes_fffd : {false, true}) {
            std::string form;
            append_value(form, value, {true, long_escapes, escapes_fffd});
            const bool is_new = form != canonical && std::ranges::find(forms, form) == forms.end();
            if (is_new) forms.push_back(std::move(form));
        }
    }
    return forms;
}

std::string text_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, value] : members)
        object[std::string(name)] = value;
    return canonical_json(object);
}

}  // namespace a2h::wire
