#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// Why the proof of `answer` does not hold, or nullopt when it holds or its surface has none.
/// Counts failures, locks the PIN or all codes, voids the code and tells the human, all in the
/// caller's transaction. Errors: those of the store. Thread: the store writer.
Result<std::optional<Error>> check_proof(store::Database& db, const Answer& answer,
                                         const Approval& approval, const HumanSecrets& secrets,
                                         const Policy& policy, UnixMs now_ms);

/// Whose PIN was given, and what for, as audit and notifications name it.
struct PinUse {
    std::string agent_id;
    std::string approval_id;  ///< empty: for no approval
    std::string person;
};

/// The same for the PIN alone. `pin` is what `Pins::check` said of `use.person`.
Result<std::optional<Error>> check_pin_proof(store::Database& db, ProofState pin, const PinUse& use,
                                             const Policy& policy, UnixMs now_ms);

/// How the person of an answer that was taken is proved, for the audit: "pin", "session" (of the
/// page), "link", "button", "code", "dialog", "mandate" or "none".
std::string_view proof_of(const Answer& answer);

/// To whom this code was sent; nullopt: to nobody.
std::optional<std::string> holder_of_code(const Approval& approval, std::string_view code,
                                          const HumanSecrets& secrets, const Policy& policy);

/// Sends `use.person` a code with which they set their PIN, in place of one that was sent before.
/// Errors: NotFound when nobody is called that; PermissionDenied for the owner, whose own PIN is
/// asked for instead; Conflict within a minute of the code before; Unavailable when they have no
/// channel of their own.
Result<void> offer_pin(store::Database& db, const PinUse& use, const Policy& policy, UnixMs now_ms);

/// Why `code` does not let `use.person` set their PIN, or nullopt when it does; then it is used up.
/// A wrong one counts like a wrong PIN, and like a wrong code of an approval.
Result<std::optional<Error>> check_pin_code(store::Database& db, const PinUse& use,
                                            std::string_view code, const HumanSecrets& secrets,
                                            const Policy& policy, UnixMs now_ms);

constexpr std::chrono::minutes kPinOfferLife{15};
constexpr std::chrono::minutes kPinOfferEvery{1};

}  // namespace a2h::consent
