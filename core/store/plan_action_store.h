#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// A part of an agreed plan that was put to people as a question.
struct StoredPlanAction {
    std::string negotiation_id;
    std::string realisation;
    std::string subject;
    std::string approval_id;  ///< empty: an older a2hd did not keep the result
    UnixMs at_ms = 0;
};

/// Call in the transaction that puts its question. `replaced` is the approval of the existing row;
/// empty: there was none.
///
/// Errors:  Conflict if another call has put it since.
Result<void> put_plan_action(Database& db, const StoredPlanAction& plan_action,
                             const std::string& replaced);
/// The row with the ids of `plan_action`.
Result<std::optional<StoredPlanAction>> get_plan_action(Database& db,
                                                        const StoredPlanAction& plan_action);

}  // namespace a2h::store
