#include "core/wire/json_member.h"

#include <nlohmann/json.hpp>
#include <utility>

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

std::string camel_case(std::string_view snake_case) {
    std::string camel;
    bool begins_word = false;
    for (const char c : snake_case) {
        const bool is_lower = c >= 'a' && c <= 'z';
        if (c != '_') camel += begins_word && is_lower ? static_cast<char>(c - 'a' + 'A') : c;
        begins_word = c == '_';
    }
    return camel;
}

const json& either_member(const json& object, std::string_view name) {
    const json& found = member(object, name);
    return found.is_null() ? member(object, camel_case(name)) : found;
}

void use_snake_case(json& object, std::string_view name) {
    const std::string camel = camel_case(name);
    if (camel == name || !member(object, name).is_null() || !object.is_object()) return;
    const auto found = object.find(camel);
    if (found == object.end()) return;
    json value = std::move(*found);
    object.erase(found);
    object[std::string(name)] = std::move(value);
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
