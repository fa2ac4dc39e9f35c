#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"
#include "core/domain/permit.h"
#include "core/platform/requests.h"
#include "core/store/database.h"
#include "core/store/outbox_store.h"

namespace a2h::consent {

/// The agent that wants to call the market, with its action, for a permit.
struct Caller {
    std::string_view agent_id;
    std::string_view action;        ///< of the catalogue
    const Approval* yes = nullptr;  ///< the question that was answered; null if none is needed
};

/// The only place that makes permits. What gives the right follows from the cause of the message
/// (causes.h), and must exist: an approval of the sender that was answered, a mandate or a
/// negotiation of the sender, or the verdict of the judge of words about exactly this message.
///
/// Source:  docs/rulings.md, R58.
class Door {
  public:
    /// The permit of `message`, which must not be changed any more.
    ///
    /// Errors:  PermissionDenied if nothing gives the right; those of the database.
    /// Thread:  the store writer.
    static Result<Permit> permit(store::Database& db, const OutboxMessage& message);
    /// The permit of `request`, which carries out `called`: the caller's action, or a call that
    /// belongs to it, such as the address of an upload. A yes is for exactly the request that its
    /// arguments make.
    ///
    /// Errors:  PermissionDenied if nothing gives the right; Corrupt if the yes is damaged.
    /// Thread:  any.
    static Result<Permit> permit(const platform::Request& request, std::string_view called,
                                 const Caller& caller);
    /// The permit of the upload of a file with this hex SHA-256.
    ///
    /// Errors:  as above.
    /// Thread:  any.
    static Result<Permit> permit_upload(std::string_view file_sha256, const Caller& caller);
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

/// Whether the stored row of `message` has a permit that covers `message` as it is.
///
/// Errors:  those of the database.
/// Thread:  any, with a connection of its own.
Result<bool> has_permit(store::Database& db, const OutboxMessage& message);

}  // namespace a2h::consent
