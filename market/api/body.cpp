#include "market/api/body.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace a2h::market {

using nlohmann::json;

std::optional<std::string> optional_text(const json& object, std::string_view name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return found->get<std::string>();
}

std::optional<std::int64_t> optional_integer(const json& object, std::string_view name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return found->get<std::int64_t>();
}

std::string text_or(const json& object, std::string_view name, std::string_view fallback) {
    return optional_text(object, name).value_or(std::string(fallback));
}

std::int64_t integer_of(const json& object, std::string_view name, std::int64_t fallback) {
    return optional_integer(object, name).value_or(fallback);
}

std::int64_t pages_before(const json& query) {
    const std::int64_t page = integer_of(query, "page", 1);
    return integer_of(query, "pageNum", std::max<std::int64_t>(page - 1, 0));
}

}  // namespace a2h::market
