#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// Why the proof of `answer` is not valid; nullopt if it is valid or its surface needs none. Counts
/// failures, locks the PIN or all codes, voids the code and notifies the human, all in the caller's
/// transaction.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<std::optional<Error>> check_proof(store::Database& db, const Answer& answer,
                                         const Approval& approval, const HumanSecrets& secrets,
                                         const Policy& policy, UnixMs now_ms);

/// The person whose PIN was given and the purpose, as audit and notifications name them.
struct PinUse {
    std::string agent_id;
    std::string approval_id;  ///< empty: no approval is involved
    std::string person;
};

/// The same for the PIN alone. `pin` is the result of `Pins::check` for `use.person`.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<std::optional<Error>> check_pin_proof(store::Database& db, ProofState pin, const PinUse& use,
                                             const Policy& policy, UnixMs now_ms);

/// How the person who gave an accepted answer was proved, for the audit: "pin", "session" (of the
/// page), "link", "button", "code", "dialog", "mandate" or "none". Pure.
std::string_view proof_of(const Answer& answer);

/// The person to whom this code was sent; nullopt if it was sent to nobody. Pure.
std::optional<std::string> holder_of_code(const Approval& approval, std::string_view code,
                                          const HumanSecrets& secrets, const Policy& policy);

/// Sends `use.person` a code for setting their PIN. It replaces an earlier one.
///
/// Errors:  NotFound for an unknown person; PermissionDenied for the owner, whose PIN is required
///          instead; Conflict within a minute of the last code; Unavailable if the person has no
///          channel of their own; those of the store.
/// Thread:  the store writer.
Result<void> offer_pin(store::Database& db, const PinUse& use, const Policy& policy, UnixMs now_ms);

/// Why `code` does not allow `use.person` to set their PIN; nullopt if it does, and then the code
/// is used up. A wrong code counts like a wrong PIN and like a wrong code of an approval.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<std::optional<Error>> check_pin_code(store::Database& db, const PinUse& use,
                                            std::string_view code, const HumanSecrets& secrets,
                                            const Policy& policy, UnixMs now_ms);

constexpr std::chrono::minutes kPinOfferLife{15};
constexpr std::chrono::minutes kPinOfferEvery{1};

}  // namespace a2h::consent
