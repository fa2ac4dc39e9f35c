#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Reads an answer's `data` for people. Members that are missing or of another type are shown as
// nothing, because a newer daemon must not break an older `a2h`. Peers' words are made printable.

/// The member `name`; a null if `object` has none.
const nlohmann::json& at(const nlohmann::json& object, const char* name);
/// A member as printable text; empty for null, objects and lists.
std::string text_of(const nlohmann::json& object, const char* name);
/// A UTC time in the reader's time zone.
std::string time_of(const nlohmann::json& object, const char* name);
/// The items of a list; empty if it is not a list.
std::vector<nlohmann::json> items_of(const nlohmann::json& object, const char* name);
/// The reader's word for a value of a closed set; the value itself if there is none.
std::string word(const Invocation& invocation, const std::string& value);

/// `headings` are locale keys; without rows the text `none` is used.
std::string table_of(const Invocation& invocation, const std::vector<std::string_view>& headings,
                     const std::vector<std::vector<std::string>>& rows, std::string_view none);

/// The JSON object in the file of argument `name`; `-` means standard input. A list is accepted
/// with `may_be_list`.
std::variant<nlohmann::json, Failure> json_file(const Invocation& invocation, std::string_view name,
                                                bool may_be_list = false);

}  // namespace a2h::cli
