#pragma once

#include "core/base/result.h"
#include "core/domain/job.h"
#include "daemon/context/agent.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/rules.h"
#include "daemon/kernel/kernel.h"

namespace a2h::mail {

/// Returns everything on which a decision about `message` may depend, as of now. Reads the
/// database.
///
/// Errors:  those of the store.
/// Thread:  the loop.
Result<decide::Input> take_snapshot(const kernel::Kernel& kernel, const decide::RuleSet& rules,
                                    i18n::Language owner_language, Agent& agent,
                                    const InboxMessage& message);

/// Counts `message` for the limit per minute. A forged message is not counted; an unverifiable
/// one is counted separately from what its sender has certainly sent (R49).
///
/// Thread:  the loop.
void count_arrival(Agent& agent, const InboxMessage& message, UnixMs now_ms);

/// Returns what the decision of `job` used, for explaining and replaying it: the conversation as it
/// was, the stored counts, and the listings of today.
///
/// Errors:  those of the store.
/// Thread:  the loop.
Result<decide::Input> snapshot_of_then(store::Database& reader, i18n::Language owner_language,
                                       const Agent& agent, const InboxMessage& message,
                                       const Job& job);

}  // namespace a2h::mail
