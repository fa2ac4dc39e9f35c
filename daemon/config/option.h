#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/config/config.h"
#include "daemon/config/kind.h"

namespace a2h::config {

/// When a changed option takes effect in a running daemon.
enum class Effect { Reload, Restart };

/// One option: its name, its permitted values, and its member in a `Target`. The parser, `a2h
/// config`, the commented default file and the reference are made from these rows alone. Its
/// description is the locale key `config.` + name.
template <typename Target>
struct OptionOf {
    std::string_view name;  ///< `table.key`, or `key` at the top level
    Kind kind;
    void (*set)(Target&, const Value&);  ///< takes values that fit `kind`
    Value (*get)(const Target&);
    /// Locale key that describes the default if it is not a fixed value.
    std::string_view default_text = {};
    bool is_secret = false;  ///< the value is never shown
    Effect effect = Effect::Reload;
};

using Option = OptionOf<Config>;
using PersonOption = OptionOf<Person>;
using ChannelOption = OptionOf<notify::ChannelSettings>;
using RuleOption = OptionOf<consent::ApprovalRule>;

/// All options that can appear once in a file, table by table, in the order of the default file.
std::span<const Option> options();
/// Options of a `[[person]]`, a `[[channel]]` and an `[[approval_rule]]`. A channel also takes the
/// options of its kind, see docs/channels.md.
std::span<const PersonOption> person_options();
std::span<const ChannelOption> channel_options();
std::span<const RuleOption> rule_options();

/// nullptr if no option has this name.
const Option* find_option(std::string_view name);
/// The option name most similar to `name`, for "did you mean"; empty if none is similar.
std::string nearest_option(std::string_view name);

/// The parts of `table.key`. The table of a top-level option is empty.
constexpr std::string_view table_of(std::string_view name) {
    const std::size_t point = name.find('.');
    return point == std::string_view::npos ? std::string_view() : name.substr(0, point);
}
constexpr std::string_view key_of(std::string_view name) {
    const std::size_t point = name.find('.');
    return point == std::string_view::npos ? name : name.substr(point + 1);
}

/// `A2H_TABLE_KEY`, the environment variable that overrides the file.
std::string environment_name(std::string_view name);

/// The configuration without a file and variables, for this user and locale.
Config default_config();

}  // namespace a2h::config
