#pragma once

#include <vector>

#include "daemon/outcome/outcome.h"

namespace a2h::stages {

/// `outcome::write_effects`, and the additions of a case's stages to the history of the task that
/// it serves.
///
/// Thread:  the store writer, inside its transaction.
Result<std::vector<store::OutboxPlace>> write_with_story(store::Database& db,
                                                         outcome::Effects& effects,
                                                         const consent::Policy& policy);

}  // namespace a2h::stages
