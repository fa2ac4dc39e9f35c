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

/// What a PIN was given for, as audit and notifications name it.
struct PinUse {
    std::string agent_id;
    std::string approval_id;  ///< empty: for no approval
};

/// The same for the PIN alone. `pin` is what `check_pin` found.
Result<std::optional<Error>> check_pin_proof(store::Database& db, ProofState pin, const PinUse& use,
                                             const HumanSecrets& secrets, const Policy& policy,
                                             UnixMs now_ms);

}  // namespace a2h::approvals
