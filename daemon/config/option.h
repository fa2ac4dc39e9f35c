#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/config/config.h"
#include "daemon/config/kind.h"

namespace a2h::config {

/// When a changed option counts in a daemon that runs.
enum class Effect { Reload, Restart };

/// One option: its name, what it may be, and its place in a `Target`. The parser, `a2h config`, the
/// commented default file and the reference are made from these rows and from nothing else. What it
/// does is told by the locale key `config.` + name.
template <typename Target>
struct OptionOf {
    std::string_view name;  ///< `table.key`, or `key` at the top level
    Kind kind;
    void (*set)(Target&, const Value&);  ///< for values that fit `kind`
    Value (*get)(const Target&);
    /// Locale key of its default, where that is no value of its own.
    std::string_view default_text = {};
    bool is_secret = false;  ///< never shown
    Effect effect = Effect::Reload;
};

using Option = OptionOf<Config>;
using PersonOption = OptionOf<Person>;
using ChannelOption = OptionOf<notify::ChannelSettings>;
using RuleOption = OptionOf<consent::ApprovalRule>;

/// All options that stand in a file once, table by table, in the order of the default file.
std::span<const Option> options();
/// Of a `[[person]]`, a `[[channel]]` and an `[[approval_rule]]`. A channel takes what its kind
/// needs as well, see docs/channels.md.
std::span<const PersonOption> person_options();
std::span<const ChannelOption> channel_options();
std::span<const RuleOption> rule_options();

/// nullptr when there is none of that name.
const Option* find_option(std::string_view name);
/// The one that `name` is most like, for "did you mean"; empty when none is near.
std::string nearest_option(std::string_view name);

/// The parts of `table.key`; the table of an option at the top level is empty.
constexpr std::string_view table_of(std::string_view name) {
    const std::size_t point = name.find('.');
    return point == std::string_view::npos ? std::string_view() : name.substr(0, point);
}
constexpr std::string_view key_of(std::string_view name) {
    const std::size_t point = name.find('.');
    return point == std::string_view::npos ? name : name.substr(point + 1);
}

/// `A2H_TABLE_KEY`, the variable of the environment that goes before the file.
std::string environment_name(std::string_view name);

/// What there is without file and variables: of this user and this locale.
Config default_config();

}  // namespace a2h::config
