#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/exchange.h"
#include "market/db/database.h"

namespace a2h::market {

/// A request for proposals.
struct Rfp {
    std::string rfp_id;
    std::string creator_id;
    std::string title;
    std::string description;
    std::string capability_type;
    std::vector<std::string> domains{};  ///< one of them is needed; empty: no filter
    std::optional<Money> budget{};       ///< at most this
    std::optional<UnixMs> deadline_at_ms{};
    RfpStatus status = RfpStatus::Open;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;

    /// `Closed` from the deadline on, whether or not that was stored yet (R23).
    RfpStatus status_at(UnixMs now_ms) const;
};

/// The role of an agent for an RFP that it may see.
enum class RfpRole { Creator, Supplier };

struct RfpQuery {
    std::string agent_id;               ///< the requesting agent
    std::optional<RfpRole> role{};      ///< nullopt: both
    std::optional<RfpStatus> status{};  ///< as of `now_ms`; nullopt: any
    std::string capability_type;        ///< empty: any
    std::string creator_id;             ///< empty: any
    UnixMs now_ms = 0;
    std::int64_t offset = 0;
    std::int64_t limit = 20;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Adds `rfp`; nobody is notified yet.
///
/// Errors:  Conflict if its creator does not exist.
Result<void> add_rfp(db::Transaction& transaction, const Rfp& rfp);
Result<std::optional<Rfp>> find_rfp(db::Transaction& transaction, std::string_view rfp_id);
/// RFPs that the agent created, matches or has answered; newest first, equal times by id, so pages
/// never overlap. RFPs of revoked agents are shown to nobody else.
Result<std::vector<Rfp>> list_rfps(db::Transaction& transaction, const RfpQuery& query);

/// Changes the state from `open`; false if it was no longer open, or if its deadline has passed.
Result<bool> end_rfp(db::Transaction& transaction, std::string_view rfp_id, RfpStatus to,
                     UnixMs now_ms);
/// Changes the deadline of an open RFP from `from_ms` to `to_ms`; false if it is not open, or if
/// its deadline has changed or passed.
Result<bool> extend_deadline(db::Transaction& transaction, std::string_view rfp_id, UnixMs from_ms,
                             UnixMs to_ms, UnixMs now_ms);
/// Open RFPs whose deadline has passed, most overdue first.
Result<std::vector<Rfp>> due_rfps(db::Transaction& transaction, UnixMs now_ms, std::int64_t limit);
/// Closes one that is due; false if another process did.
Result<bool> close_due_rfp(db::Transaction& transaction, std::string_view rfp_id, UnixMs now_ms);

/// RFPs whose matched agents were not all notified, with the last agent that was.
struct Telling {
    std::string rfp_id;
    std::string told_after;
};
Result<std::vector<Telling>> tellings(db::Transaction& transaction, std::int64_t limit);
/// nullopt: all were notified. False if another process has continued from `from`.
Result<bool> set_told_after(db::Transaction& transaction, const Telling& from,
                            const std::optional<std::string>& told_after);

}  // namespace a2h::market::store
