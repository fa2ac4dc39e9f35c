#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/decide/situation.h"
#include "daemon/decide/toml_file.h"

namespace a2h::decide {

/// What a condition is read from.
struct ConditionSource {
    const TomlFile& file;
    std::string_view key;
    const TomlNode& node;
    const RuleSet::Impl& known;
};

/// One condition that a rule can set: how it is read and whether it holds. The rows stand in the
/// order in which they are looked at, those that cost nothing first.
struct ConditionField {
    std::string_view name;
    Result<void> (*read)(const ConditionSource& source, Conditions& when);
    bool (*holds)(const Conditions& when, const Situation& situation);
};
std::span<const ConditionField> condition_fields();

}  // namespace a2h::decide
