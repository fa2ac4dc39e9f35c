#pragma once

#include <string>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

// Thread:  the loop.

/// The agent whose negotiations a call may see: a model sees those of its own agent, the human all
/// (empty).
std::string seen_by(const Call& call);

/// Returns the negotiation with the id of a demand or a negotiation, of `agent_id` unless that is
/// empty.
///
/// Errors:  NotFound; those of the store.
Result<Negotiation> negotiation_named(store::Database& db, const std::string& agent_id,
                                      const std::string& id);

}  // namespace a2h::operations
