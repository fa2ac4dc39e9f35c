#pragma once

#include "core/base/result.h"
#include "daemon/config/config.h"

namespace a2h::config {

/// Reads the aliases of our options: the variables that section 9.1 of the negotiation
/// specification names, such as `LLM_MODEL`, with A2H_ before their names because other programs
/// read the plain ones. Call after the file and our own variables have been read.
///
/// Errors:  InvalidArgument naming the variable: not a permitted value, another variable sets the
///          same option, or a variable cannot set it.
/// Source:  docs/rulings.md, R38.
Result<void> read_alias_variables(Loaded& loaded, const Variables& variables);

}  // namespace a2h::config
