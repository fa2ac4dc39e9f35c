#pragma once

#include <vector>

#include "daemon/outcome/outcome.h"

namespace a2h::stages {

/// Writes `effects` as `outcome::write_effects` does, and adds the stages of a case to the history
/// of the task that it serves.
///
/// Errors:  those of `outcome::write_effects`.
/// Thread:  the store writer, inside its transaction.
Result<std::vector<store::OutboxPlace>> write_with_story(store::Database& db,
                                                         outcome::Effects& effects,
                                                         const consent::Policy& policy);

}  // namespace a2h::stages
