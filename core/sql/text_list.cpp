#include "core/sql/text_list.h"

#include <nlohmann/json.hpp>

namespace a2h::sql {

using nlohmann::json;

std::string list_text(const std::vector<std::string>& texts) {
    return json(texts).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> read_list(std::string_view text) {
    const auto list = json::parse(text, nullptr, false);
    std::vector<std::string> texts;
    if (!list.is_array()) return texts;
    for (const auto& item : list) {
        if (item.is_string()) texts.push_back(item.get<std::string>());
    }
    return texts;
}

}  // namespace a2h::sql
