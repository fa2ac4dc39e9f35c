#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/approvals/approvals.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

/// Puts `ask` to the human and answers the call with PLATFORM_CONFIRMATION_REQUIRED, the approval's
/// id, and the honest outcome of every notification. The same call again, while its approval is
/// open or within an hour of its end, is answered with that approval's state instead (R18).
void ask_human(Runtime& runtime, const Call& call, const approvals::Ask& ask, const Reply& reply);

/// Answers a call that the market's state forbids with `refusal`, or, when the same call was made
/// within the last hour and its approval was used, with what became of that: it may be what changed
/// the state (R18).
void refuse_or_tell_earlier(Runtime& runtime, const Call& call, const Error& refusal,
                            const Reply& reply);

/// Stores `approval` and hands `[{channel, ok, detail}]` to `done` on the loop, once every channel
/// has been tried, or after 4 s. Errors: Conflict when an approval with the same digest is live.
void open_and_notify(Runtime& runtime, const Approval& approval,
                     std::function<void(Result<nlohmann::json> notified)> done);

/// What everybody may see of an approval: never a code, link or PIN.
nlohmann::json to_json(const Approval& approval);

}  // namespace a2h::operations
