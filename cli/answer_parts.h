#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Reading an answer's `data` for people: what is missing or of another type shows as nothing, and
// what peers wrote is made printable.

/// The member `name`; a null when `object` has none.
const nlohmann::json& at(const nlohmann::json& object, const char* name);
/// A member as printable text; empty for null, objects and lists.
std::string text_of(const nlohmann::json& object, const char* name);
/// A UTC time as the reader's own clock shows it.
std::string time_of(const nlohmann::json& object, const char* name);
/// The members of a list; none when it is no list.
std::vector<nlohmann::json> items_of(const nlohmann::json& object, const char* name);
/// The reader's word for a value of a closed set; the value itself when there is none.
std::string word(const Invocation& invocation, const std::string& value);

}  // namespace a2h::cli
