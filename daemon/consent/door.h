#pragma once

#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/domain/permit.h"
#include "core/store/database.h"
#include "core/store/outbox_store.h"

namespace a2h::consent {

/// The only place that makes permits. What gives the right follows from the cause of the message,
/// and is looked up where it is a row: an approval that was answered and names the receiver, or a
/// mandate of the sender.
///
/// Source:  docs/rulings.md, R58.
class Door {
  public:
    /// The permit of `message`, which must not be changed any more.
    ///
    /// Errors:  PermissionDenied if nothing gives the right; those of the database.
    /// Thread:  the store writer.
    static Result<Permit> permit(store::Database& db, const OutboxMessage& message);
    /// Completes the permits of what waited when the database was upgraded to permits
    /// (`Right::BeforePermits`). Does so once in the life of a database, so that no later row can
    /// claim this right.
    ///
    /// Errors:  those of the database.
    /// Thread:  that of the start, before anything is sent.
    static Result<void> take_over_old(store::Database& db);
};

/// Inserts `message` into the outbox with its permit.
///
/// Errors:  those of `Door::permit`.
/// Thread:  the store writer.
Result<store::OutboxPlace> put_in_outbox(store::Database& db, const OutboxMessage& message);

}  // namespace a2h::consent
