#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Commands that are made from a row of the catalogue alone (`Operation::command`): required members
// of its input schema are words in their order, the others options, and what comes back is shown as
// its output schema titles it. The Chinese texts are docs/tools.zh_CN.json.

/// One for each such row.
std::vector<Command> standard_commands();

/// A text of a command: of the locales where `key_or_text` is a key, else of the catalogue.
std::string command_text(i18n::Language language, std::string_view key_or_text);

/// `data` as the members of `data` in the output schema of `action` say: lines of title and value,
/// lists of objects as tables. A member without a title is not shown unless it is such a list.
std::string standard_text(i18n::Language language, std::string_view action,
                          const nlohmann::json& data);

}  // namespace a2h::cli
