#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace a2h::wire {

// Reading what others wrote: a member that is missing or of another type is absent, never an error.
// Thread: any.

/// The member `name`; a null that lives for ever when `object` is no object or has none.
const nlohmann::json& member(const nlohmann::json& object, std::string_view name);

/// Empty when there is no such text.
std::string text_member(const nlohmann::json& object, std::string_view name);

/// `interface_spec` as `interfaceSpec`.
std::string camel_case(std::string_view snake_case);
/// The member `name`, which is snake_case; when that is absent or null, the one in camelCase.
const nlohmann::json& either_member(const nlohmann::json& object, std::string_view name);
/// Gives that member its name in snake_case. What is no object, or has both, stays as it is.
void use_snake_case(nlohmann::json& object, std::string_view name);

/// The list in an answer: `data` itself, or its member of one of the platform's names for lists.
const nlohmann::json& list_in(const nlohmann::json& data);

}  // namespace a2h::wire
