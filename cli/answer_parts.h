#pragma once

#include <string>
#include <string_view>
#include <variant>
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

/// `headings` are locale keys; without rows the text of `none`.
std::string table_of(const Invocation& invocation, const std::vector<std::string_view>& headings,
                     const std::vector<std::vector<std::string>>& rows, std::string_view none);

/// The JSON object of the file that the argument `name` names; `-` is the standard input. A list
/// passes where `may_be_list`.
std::variant<nlohmann::json, Failure> json_file(const Invocation& invocation, std::string_view name,
                                                bool may_be_list = false);

}  // namespace a2h::cli
