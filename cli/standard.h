#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::catalogue {
struct Operation;
}

namespace a2h::cli {

// Commands that call the operation of their row with what was given on the command line, and show
// the result. Such a row of `commands()` needs no handler. A command can also be made from the row
// of the catalogue alone (`Operation::command`): required members of its input schema become words
// in order, the others become options, and the result is shown with the titles of its output
// schema. The Chinese texts are in docs/tools.zh_CN.json. A PIN is never such a word or option: it
// is asked for at the terminal, or read from stdin with --pin-stdin.

/// Calls the operation `Command::action` with `members_of` the command, in the types of its input
/// schema, and `Command::given`. Asks for the PIN if the schema requires the member `pin`, and
/// reads it from stdin with --pin-stdin. A command that offers --no-wait asks for the yes that the
/// operation may need (cli/with_yes.h).
Outcome run_standard(const Invocation& invocation);

/// Which member of such a call each parameter gives: the one of its name, if there is one. Other
/// words give the required members that are left, in the order of the schema; other options none.
std::map<std::string_view, std::string> members_of(const Command& command);

/// The command of a row that names it. It has --pin-stdin if the operation takes a PIN: its row
/// says `needs_proof`, or its input schema has the member `pin`.
Command standard_command(const catalogue::Operation& operation);

/// One for each row of the catalogue that names its command.
std::vector<Command> standard_commands();

/// A text of a command: from the locales if `key_or_text` is a key, otherwise from the catalogue.
std::string command_text(i18n::Language language, std::string_view key_or_text);

/// `data` according to the members of `data` in the output schema of `action`: lines of title and
/// value, and lists of objects as tables. A member without a title is not shown unless it is such a
/// list.
std::string standard_text(i18n::Language language, std::string_view action,
                          const nlohmann::json& data);

}  // namespace a2h::cli
