#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/outcome.h"
#include "core/control/home.h"
#include "core/i18n/messages.h"

namespace a2h::cli {

struct Command;

/// One parsed command line.
struct Invocation {
    const Command* command = nullptr;
    i18n::Language language = i18n::Language::English;
    control::Home home;
    bool json = false;
    bool home_given = false;                    ///< --home was given; hints repeat it
    std::string former_name{};                  ///< the command was called by this former name
    std::map<std::string, std::string> values;  ///< keyed by Parameter::name; flags are ""

    bool has(std::string_view name) const { return values.contains(std::string(name)); }
    /// Empty if it was not given.
    std::string value(std::string_view name) const;
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const;
    /// `a2h {words}` with the --home of this command line, for copying.
    std::string hint(std::string_view words) const;
};

/// Says on stderr that `former` is called `present` now. The former name works all the same.
void warn_of_former_name(const Invocation& invocation, std::string_view former,
                         std::string_view present);

enum class ParameterKind {
    Flag,      ///< --name
    Value,     ///< --name VALUE
    Required,  ///< positional, required
    Optional,  ///< positional, optional
    Words,     ///< positional, required, the last one: all further words, joined by spaces
};

/// One parameter of a command; `help` is a locale key.
struct Parameter {
    std::string_view name;
    ParameterKind kind;
    std::string_view help;
    std::string_view value_name = {};  ///< for Value: the placeholder in the help
    std::string_view letter = {};      ///< a short form such as -f; most have none
};

/// Writes an answer's `data` for people.
using Renderer = std::string (*)(const Invocation&, const nlohmann::json& data);

/// One command as a row. Names of two words are a group and a member of it.
struct Command {
    std::string_view name;
    std::string_view action;   ///< of its results
    std::string_view summary;  ///< locale key
    std::vector<Parameter> parameters;
    Outcome (*run)(const Invocation&);
    // Only for `run_standard`:
    Renderer render = nullptr;    ///< of its results; null: by the titles of the output schema
    std::string_view given = {};  ///< a JSON object: members that every call has
};

/// All rows in the order of the help.
std::span<const Command> commands();

/// Options of every command in the order of the help.
std::span<const Parameter> everywhere();

/// What a command does, how it is written, and its options.
std::string help_of(const Command& command, i18n::Language language);

/// Text to print instead of running a command: help, the table as JSON, or the version.
struct Print {
    std::string text;
};

/// Parses a command line. A Failure is a usage error: an unknown command (with "did you mean"), a
/// missing or an unexpected argument. `arguments` is argv without the program.
std::variant<Invocation, Print, Failure> parse(const std::vector<std::string>& arguments,
                                               i18n::Language language);

}  // namespace a2h::cli
