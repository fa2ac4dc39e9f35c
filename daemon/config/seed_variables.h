#pragma once

#include "core/base/result.h"
#include "daemon/config/config.h"

namespace a2h::config {

/// The variables of section 9.1 of the seed of multi-party negotiation, with A2H_ before their
/// names: other programs read the plain ones. Call behind the file and our own variables.
/// Errors: InvalidArgument naming the variable: not an allowed value, the same setting has another
///         variable, or no variable may say it.
/// Source: docs/rulings.md, R38.
Result<void> read_seed_variables(Loaded& loaded, const Variables& variables);

}  // namespace a2h::config
