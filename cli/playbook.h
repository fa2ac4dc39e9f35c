#pragma once

#include <string_view>

#include "cli/command.h"
#include "core/base/result.h"
#include "daemon/decide/rules.h"

namespace a2h::cli {

/// The built-in rules with the file of `parameter`, or with that of the home folder if it was not
/// given.
///
/// Errors:  those of `decide::RuleSet::load`; NotFound for a file that was named.
Result<decide::RuleSet> rules_for(const Invocation& invocation, std::string_view parameter);

}  // namespace a2h::cli
