#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

// Moves of RFPs, each within the caller's transaction.

/// Matched agents that are told within one transaction; the rest follows from the timer.
inline constexpr std::int64_t kToldAtOnce = 200;

/// Adds `rfp` and tells the first of those that it matches.
/// Errors: InvalidArgument for a deadline that is not in the future.
Result<void> create_rfp(db::Transaction& transaction, const Rfp& rfp);

struct SeenRfp {
    Rfp rfp;
    RfpRole role = RfpRole::Creator;
};
/// The RFP, if `agent_id` created it, is matched with it now, or has answered it.
/// Errors: NotFound for everybody else, as if there were none.
Result<SeenRfp> see_rfp(db::Transaction& transaction, std::string_view rfp_id,
                        std::string_view agent_id);

struct RfpChange {
    std::optional<RfpStatus> status{};
    std::optional<UnixMs> deadline_at_ms{};
};
/// Closes, cancels, or moves the deadline to a later time; a repeat changes nothing.
///
/// Errors:  NotFound as above; PermissionDenied for another role than the creator's;
///          InvalidArgument for both or none of the two; Conflict when the RFP is not open any
///          more, has no deadline, or has a later one.
/// Source:  R23.
Result<Rfp> change_rfp(db::Transaction& transaction, std::string_view rfp_id,
                       std::string_view agent_id, const RfpChange& change, UnixMs now_ms);

/// Closes what is due and tells creator and suppliers; answers how many. Source: R23.
Result<std::int64_t> close_due_rfps(db::Transaction& transaction, UnixMs now_ms);
/// Tells the next matched agents of each RFP that has some left; answers whether there are more.
Result<bool> tell_more(db::Transaction& transaction, UnixMs now_ms);

}  // namespace a2h::market
