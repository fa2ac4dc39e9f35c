#pragma once

#include "core/base/result.h"
#include "core/domain/task.h"
#include "daemon/context/agent.h"
#include "daemon/context/context.h"
#include "daemon/decide/decision.h"

namespace a2h::mail {

/// All that a decision about `message` may look at, now. Reads the database. Thread: the loop.
Result<decide::Input> take_snapshot(const Context& context, Agent& agent,
                                    const InboxMessage& message);

/// Counts `message` for the limit a minute: a forged one for nobody, and what nobody could check
/// apart from what its sender has certainly sent (R49). Thread: the loop.
void count_arrival(Agent& agent, const InboxMessage& message, UnixMs now_ms);

/// What the decision of `task` looked at, for explaining and replaying it: the conversation as it
/// was, the counts as they were kept, the listings of today. Thread: the loop.
Result<decide::Input> snapshot_of_then(const Context& context, const Agent& agent,
                                       const InboxMessage& message, const Task& task);

}  // namespace a2h::mail
