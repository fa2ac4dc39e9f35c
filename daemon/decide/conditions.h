#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/decide/situation.h"
#include "daemon/reading/toml_file.h"

namespace a2h::decide {

/// The source that a condition is read from.
struct ConditionSource {
    const TomlFile& file;
    std::string_view key;
    const TomlNode& node;
    RuleSet::Impl& rules;
};

/// One condition that a rule can set: how it is read, whether it holds, and the actual value for
/// people. Rows are evaluated in order, the cheapest first.
///
/// Errors:  of `read`: InvalidArgument, naming file, line and member.
/// Thread:  any.
struct ConditionField {
    std::string_view name;
    Result<void> (*read)(const ConditionSource& source, Conditions& when);
    bool (*holds)(const Conditions& when, const Situation& situation);
    std::string (*found)(const Situation& situation);
};
std::span<const ConditionField> condition_fields();

}  // namespace a2h::decide
