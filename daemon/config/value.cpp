#include "daemon/config/value.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"

namespace a2h::config {
namespace {

/// A basic string of TOML; characters without an escape of their own are written as numbers.
std::string basic_string_of(std::string_view text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\u00";
            out += kHex[byte >> 4];
            out += kHex[byte & 0xF];
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    while (!trim(text).empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        parts.emplace_back(trim(text.substr(0, comma)));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return parts;
}

struct TomlText {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(const std::string& text) const { return basic_string_of(text); }
    std::string operator()(const std::vector<std::string>& list) const {
        std::string out = "[";
        for (const std::string& text : list)
            out += (out.size() == 1 ? "" : ", ") + basic_string_of(text);
        return out + "]";
    }
};

}  // namespace

std::string toml_text(const Value& value) {
    return std::visit(TomlText(), value);
}

std::optional<Value> parse_value(Shape shape, std::string_view text) {
    switch (shape) {
        case Shape::Flag:
            if (text == "true" || text == "false") return Value(text == "true");
            return std::nullopt;
        case Shape::Integer: {
            std::int64_t number = 0;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), number);
            const bool whole = error == std::errc() && end == text.data() + text.size();
            return whole ? std::optional<Value>(number) : std::nullopt;
        }
        case Shape::Text:
            return Value(std::string(text));
        case Shape::List:
            return Value(parts_of(text));
    }
    return std::nullopt;
}

}  // namespace a2h::config
