#pragma once

#include <optional>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

// Changes of RFPs, each within the caller's transaction.
//
// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Matched agents that are notified within one transaction; the timer notifies the others.
inline constexpr std::int64_t kNotifiedAtOnce = 200;

/// Adds `rfp` and notifies the first matched agents.
///
/// Errors:  InvalidArgument for a deadline that is not in the future.
Result<void> create_rfp(db::Transaction& transaction, const Rfp& rfp);

struct SeenRfp {
    Rfp rfp;
    RfpRole role = RfpRole::Creator;
};
/// The RFP, if `agent_id` created it, is matched with it now, or has answered it.
///
/// Errors:  NotFound for everybody else, as if it did not exist.
Result<SeenRfp> see_rfp(db::Transaction& transaction, std::string_view rfp_id,
                        std::string_view agent_id);

struct RfpChange {
    std::optional<RfpStatus> status{};
    std::optional<UnixMs> deadline_at_ms{};
};
/// Closes, cancels, or postpones the deadline; a repeated change has no effect.
///
/// Errors:  NotFound as above; PermissionDenied for other roles than the creator; InvalidArgument
///          for both changes or none; Conflict if the RFP is no longer open, has no deadline, or
///          has a later one.
/// Source:  R23.
Result<Rfp> change_rfp(db::Transaction& transaction, std::string_view rfp_id,
                       std::string_view agent_id, const RfpChange& change, UnixMs now_ms);

/// Closes RFPs whose deadline has passed, and notifies creator and suppliers; returns their number.
///
/// Source:  R23.
Result<std::int64_t> close_due_rfps(db::Transaction& transaction, UnixMs now_ms);
/// Notifies the next matched agents of each RFP that has some left; returns whether there are more.
Result<bool> notify_more(db::Transaction& transaction, UnixMs now_ms);

}  // namespace a2h::market
