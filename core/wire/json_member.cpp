#include "core/wire/json_member.h"

#include <nlohmann/json.hpp>

namespace a2h::wire {

using nlohmann::json;

const json& member(const json& object, std::string_view name) {
    static const json kNone;
    if (!object.is_object()) return kNone;
    const auto found = object.find(name);
    return found == object.end() ? kNone : *found;
}

std::string text_member(const json& object, std::string_view name) {
    const json& found = member(object, name);
    return found.is_string() ? found.get<std::string>() : std::string();
}

const json& list_in(const json& data) {
    static const json kNone = json::array();
    if (data.is_array()) return data;
    for (const char* name : {"items", "list", "result", "records", "proposals"}) {
        if (const json& found = member(data, name); found.is_array()) return found;
    }
    return kNone;
}

}  // namespace a2h::wire
