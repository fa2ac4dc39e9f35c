#pragma once

#include "core/base/result.h"
#include "daemon/config/config.h"

namespace a2h::config {

/// The variables of section 9.1 of the seed of multi-party negotiation, prefixed with A2H_ because
/// other programs read the plain names. Call after the file and our own variables have been read.
///
/// Errors:  InvalidArgument naming the variable: not a permitted value, another variable sets the
///          same option, or a variable cannot set it.
/// Source:  docs/rulings.md, R38.
Result<void> read_seed_variables(Loaded& loaded, const Variables& variables);

}  // namespace a2h::config
