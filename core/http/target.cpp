#include "core/http/target.h"

#include <algorithm>

namespace a2h::http {
namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            if (text[i] == '\0') return std::nullopt;
            out += text[i] == '+' && plus_is_space ? ' ' : text[i];
        }
    }
    return out;
}

bool read_fields(std::string_view text, Fields& fields) {
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        if (pair.empty()) continue;
        const auto equals = std::min(pair.find('='), pair.size());
        const auto name = percent_decode(pair.substr(0, equals), true);
        const auto value = percent_decode(pair.substr(std::min(equals + 1, pair.size())), true);
        if (!name || !value) return false;
        fields.emplace_back(*name, *value);
    }
    return true;
}

bool read_target(std::string_view target, Request& request) {
    if (!target.starts_with('/')) return false;
    request.target = target;
    const auto path_end = std::min(target.find('?'), target.size());
    auto path = percent_decode(target.substr(0, path_end), false);
    if (!path) return false;
    request.path = std::move(*path);
    return path_end == target.size() || read_fields(target.substr(path_end + 1), request.query);
}

std::optional<Fields> parse_form(std::string_view body) {
    Fields fields;
    if (!read_fields(body, fields)) return std::nullopt;
    return fields;
}

std::string_view Request::header(std::string_view lower_case_name) const {
    for (const auto& [name, value] : headers) {
        if (name == lower_case_name) return value;
    }
    return {};
}

std::string_view Request::query_value(std::string_view name) const {
    for (const auto& [key, value] : query) {
        if (key == name) return value;
    }
    return {};
}

}  // namespace a2h::http
