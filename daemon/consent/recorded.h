#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/mandate.h"
#include "core/store/database.h"

// Whatever a row allows must be recorded in the audit as well, whose rows are linked by their
// hashes and never change. So a yes, a vote or a mandate that was written or changed in the
// database by anybody but a2hd has no effect.
//
// Errors:  those of the database.
// Thread:  any, with a connection of its own.
// Source:  docs/rulings.md, R63.

namespace a2h::consent {

/// Whether the action is intact, and the question was asked with this digest and number of votes.
Result<bool> was_asked_so(store::Database& db, const Approval& question);

/// Whether the action is intact, and the question was answered like this.
Result<bool> was_answered_so(store::Database& db, const Approval& answered);

/// True for such an answer if the audit holds no outcome yet, so that its yes has not been used.
Result<bool> awaits_outcome(store::Database& db, const Approval& answered);

/// The people who have said yes to `question` as it stands and have not withdrawn it.
Result<std::vector<std::string>> recorded_votes(store::Database& db, const Approval& question);

}  // namespace a2h::consent

namespace a2h::mandates {

/// The mandate with this id; nullopt unless it was given with its present terms and not revoked.
Result<std::optional<Mandate>> find_in_force(store::Database& db, std::string_view id);

/// The mandates of an agent for `action` that were given with their terms and not revoked, oldest
/// first.
Result<std::vector<Mandate>> in_force(store::Database& db, std::string_view agent_id,
                                      std::string_view action);

}  // namespace a2h::mandates
