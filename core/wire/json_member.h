#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace a2h::wire {

// Reading JSON of others: a member that is missing or of another type is absent, never an error.
//
// Thread:  any.

/// The member `name`. If `object` is not an object or has no such member, a null with static
/// lifetime.
const nlohmann::json& member(const nlohmann::json& object, std::string_view name);

/// Empty if there is no such text.
std::string text_member(const nlohmann::json& object, std::string_view name);

/// `interface_spec` becomes `interfaceSpec`.
std::string camel_case(std::string_view snake_case);
/// The member `name` (snake_case); if that is absent or null, the one in camelCase.
const nlohmann::json& either_member(const nlohmann::json& object, std::string_view name);
/// Renames that member to snake_case. Unchanged if it is not an object or has both.
void use_snake_case(nlohmann::json& object, std::string_view name);

/// A list with the result of `json_of` for each item.
template <typename Items, typename JsonOf, typename Json = nlohmann::json>
Json array_of(const Items& items, const JsonOf& json_of) {
    auto all = Json::array();
    for (const auto& item : items)
        all.push_back(json_of(item));
    return all;
}

/// The list in an answer: `data` itself, or its member with one of the platform's names for lists.
const nlohmann::json& list_in(const nlohmann::json& data);

}  // namespace a2h::wire
