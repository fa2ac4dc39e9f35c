#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Commands that are made only from a row of the catalogue (`Operation::command`): required members
// of its input schema become words in order, the others become options, and the result is shown
// with the titles of its output schema. The Chinese texts are in docs/tools.zh_CN.json.

/// One for each such row.
std::vector<Command> standard_commands();

/// A text of a command: from the locales if `key_or_text` is a key, otherwise from the catalogue.
std::string command_text(i18n::Language language, std::string_view key_or_text);

/// `data` according to the members of `data` in the output schema of `action`: lines of title and
/// value, and lists of objects as tables. A member without a title is not shown unless it is such a
/// list.
std::string standard_text(i18n::Language language, std::string_view action,
                          const nlohmann::json& data);

}  // namespace a2h::cli
