#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "core/base/result.h"
#include "daemon/decide/rules.h"

namespace a2h::cli {

/// The built-in rules with the file of `parameter`, or with that of the home folder if it was not
/// given.
///
/// Errors:  those of `decide::RuleSet::load`; NotFound for a file that was named.
Result<decide::RuleSet> rules_for(const Invocation& invocation, std::string_view parameter);

/// How a decision was made: `reading`, `looked_at`, `rule_id`, `decision`, `why`, `reply` and
/// `question` of `data`, for people.
std::string explanation_text(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
