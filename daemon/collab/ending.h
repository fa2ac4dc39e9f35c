#pragma once

#include "core/base/result.h"
#include "daemon/collab/negotiation.h"
#include "daemon/collab/steps.h"

namespace a2h::collab {

/// The last step of a negotiation: fixes the final plan, gaps and compromise, tells everybody whom
/// it concerns, and begins the negotiations about what is missing.
///
/// Errors:  Conflict if it has changed since `run` was read; those of the store.
/// Thread:  the store writer, inside the caller's transaction.
Result<void> write_concluded(const Writing& to, Run& run, const Thoughts& thoughts);

}  // namespace a2h::collab
