#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/outcome.h"
#include "core/control/home.h"
#include "core/i18n/messages.h"

namespace a2h::cli {

struct Command;

/// One command line, understood.
struct Invocation {
    const Command* command = nullptr;
    i18n::Language language = i18n::Language::English;
    control::Home home;
    bool json = false;
    bool home_given = false;                    ///< --home was used: hints repeat it
    std::map<std::string, std::string> values;  ///< by Parameter::name; flags hold ""

    bool has(std::string_view name) const { return values.contains(std::string(name)); }
    /// Empty when it was not given.
    std::string value(std::string_view name) const;
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const;
    /// `a2h {words}` with this command line's --home: for people to copy.
    std::string hint(std::string_view words) const;
};

enum class ParameterKind {
    Flag,      ///< --name
    Value,     ///< --name VALUE
    Required,  ///< positional, must be there
    Optional,  ///< positional, may be left out
};

/// One parameter of a command; `help` is a locale key.
struct Parameter {
    std::string_view name;
    ParameterKind kind;
    std::string_view help;
    std::string_view value_name = {};  ///< for Value: what stands for it in the help
    std::string_view letter = {};      ///< the same for quick fingers, like -f; mostly none
};

/// One sub-command, as a row. Names of two words are a group and its member.
struct Command {
    std::string_view name;
    std::string_view action;   ///< of its results
    std::string_view summary;  ///< locale key
    std::vector<Parameter> parameters;
    Outcome (*run)(const Invocation&);
};

/// All rows in the order of the help.
std::span<const Command> commands();

/// Options that every command takes, in the order of the help.
std::span<const Parameter> everywhere();

/// Text to print instead of running anything: help, the table as JSON, or version.
struct Print {
    std::string text;
};

/// Reads a command line. A Failure is one of usage: unknown command (with "did you mean"), missing
/// or unexpected argument. `arguments` is argv without the program.
std::variant<Invocation, Print, Failure> parse(const std::vector<std::string>& arguments,
                                               i18n::Language language);

}  // namespace a2h::cli
