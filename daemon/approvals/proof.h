#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/approvals/approvals.h"

namespace a2h::approvals {

/// Why the proof of `answer` does not hold, or nullopt when it holds or its surface has none.
/// Counts failures, locks the PIN, voids the code and tells the human, all in the caller's
/// transaction. Errors: those of the store. Thread: the store writer.
Result<std::optional<Error>> check_proof(store::Database& db, const Answer& answer,
                                         const Approval& approval, const HumanSecrets& secrets,
                                         const Policy& policy, UnixMs now_ms);

}  // namespace a2h::approvals
