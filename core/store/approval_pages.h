#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// The position between two pages of approvals; (0, 0) is before the first.
struct ApprovalPlace {
    UnixMs answer_by_ms = 0;  ///< for open ones only
    std::int64_t number = 0;  ///< order of asking
};

struct ApprovalPage {
    std::vector<Approval> approvals;
    ApprovalPlace end;  ///< position of the last one; the start of the search if there is none
    bool more = false;
};

/// The open approvals of all agents, nearest deadline first. An empty `peer_id` means every peer.
/// Every page takes the same time, even among ten thousand.
Result<ApprovalPage> open_approvals(Database& db, std::string_view peer_id,
                                    const ApprovalPlace& after, int limit);
/// Decided and expired approvals of all agents, latest question first.
Result<ApprovalPage> settled_approvals(Database& db, const ApprovalPlace& after, int limit);
/// The number of open approvals of all agents.
Result<std::int64_t> count_open_approvals(Database& db);

}  // namespace a2h::store
