#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::store {

/// Where a page of approvals ends and the next begins; (0, 0) is before the first.
struct ApprovalPlace {
    UnixMs answer_by_ms = 0;  ///< open ones only
    std::int64_t number = 0;  ///< of asking
};

struct ApprovalPage {
    std::vector<Approval> approvals;
    ApprovalPlace end;  ///< of the last one; where the search began when there is none
    bool more = false;
};

/// What waits for an answer, of all agents, the nearest deadline first; empty `peer_id`: of every
/// peer. A page costs the same at the end of ten thousand as at their beginning.
Result<ApprovalPage> open_approvals(Database& db, std::string_view peer_id,
                                    const ApprovalPlace& after, int limit);
/// What was decided or has expired, of all agents, the latest question first.
Result<ApprovalPage> settled_approvals(Database& db, const ApprovalPlace& after, int limit);
/// Of all agents.
Result<std::int64_t> count_open_approvals(Database& db);

}  // namespace a2h::store
