#include "core/store/json_list.h"

#include <nlohmann/json.hpp>

namespace a2h::store {

std::string to_json_list(const std::vector<std::string>& texts) {
    using nlohmann::json;
    return json(texts).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> parse_json_list(std::string_view json) {
    const auto list = nlohmann::json::parse(json, nullptr, false);
    std::vector<std::string> texts;
    if (!list.is_array()) return texts;
    for (const auto& item : list) {
        if (item.is_string()) texts.push_back(item.get<std::string>());
    }
    return texts;
}

}  // namespace a2h::store
