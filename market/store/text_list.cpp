#include "market/store/text_list.h"

#include <nlohmann/json.hpp>

namespace a2h::market::store {

using nlohmann::json;

std::string list_text(const std::vector<std::string>& list) {
    return json(list).dump();
}

std::vector<std::string> read_list(std::string_view text) {
    const json list = json::parse(text, nullptr, false);
    std::vector<std::string> texts;
    for (const json& item : list) {
        if (item.is_string()) texts.push_back(item.get<std::string>());
    }
    return texts;
}

}  // namespace a2h::market::store
