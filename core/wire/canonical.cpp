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

enum class Form { Rfc8785, Go };

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

void append_double(std::string& out, double value) {
    A2H_CHECK(std::isfinite(value));
    if (value == 0) {
        out += '0';  // also for -0
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

void append_integer(std::string& out, std::int64_t value) {
    if (value > kExactIntegerMax || value < -kExactIntegerMax) {
        append_double(out, static_cast<double>(value));
        return;
    }
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, static_cast<std::size_t>(end - buffer));
}

void append_unsigned(std::string& out, std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(kExactIntegerMax)) {
        append_double(out, static_cast<double>(value));
    } else {
        append_integer(out, static_cast<std::int64_t>(value));
    }
}

/// The escape of `c`; empty if it needs none.
std::string_view escape_of(char c) {
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

void append_string(std::string& out, std::string_view text, Form form) {
    out += '"';
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool html = form == Form::Go && (c == '<' || c == '>' || c == '&');
        const bool separator =
            form == Form::Go && c == '\xe2' &&
            (text.substr(i, 3) == "\xe2\x80\xa8" || text.substr(i, 3) == "\xe2\x80\xa9");
        const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
        if (plain && !html && !separator) continue;
        out += text.substr(copied, i - copied);
        if (separator) {
            i += 2;
            out += text[i] == '\xa8' ? "\\u2028" : "\\u2029";
        } else if (const auto escape = escape_of(c); !escape.empty()) {
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
        sorted = sorted && (form == Form::Go || !has_high_byte(member.first));
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
            append_integer(out, value.get<std::int64_t>());
            return;
        case json::value_t::number_unsigned:
            append_unsigned(out, value.get<std::uint64_t>());
            return;
        case json::value_t::number_float:
            append_double(out, value.get<double>());
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

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
    append_string(out, text, Form::Rfc8785);
}

std::string canonical_json(const json& value) {
    std::string out;
    append_value(out, value, Form::Rfc8785);
    return out;
}

std::string canonical_json_go(const json& value) {
    std::string out;
    append_value(out, value, Form::Go);
    return out;
}

bool may_differ_in_go(const std::string& canonical) {
    for (std::size_t i = 0; i < canonical.size(); ++i) {
        const char c = canonical[i];
        if (c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) >= 0xEE) return true;
        if (c == '\xe2' && canonical.compare(i, 2, "\xe2\x80") == 0) return true;
    }
    return false;
}

std::string text_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, value] : members)
        object[std::string(name)] = value;
    return canonical_json(object);
}

}  // namespace a2h::wire
