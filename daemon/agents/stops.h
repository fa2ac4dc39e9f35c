#pragma once

// The end of an agent, and of everything that ends with it.
//
// Errors:  those of the store.
// Thread:  the store writer, inside the caller's transaction.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/local_agent.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::agents {

/// The one who has stopped an agent. If it was an assistant, the messages to the agent's peers
/// about the stop are judged again before they are sent late (R46).
enum class StoppedBy { Human, Assistant };

/// Drops the messages that the agent has queued, cancels its tasks, ends its questions, revokes its
/// mandates and closes its jobs.
Result<void> end_work(store::Database& db, const std::string& agent_id, StoppedBy by,
                      const consent::Policy& policy, UnixMs now_ms);

/// Stops the active agents that were created here, from `agent_id` downwards. Returns their ids,
/// children before parents.
Result<std::vector<std::string>> write_stops(store::Database& db, const std::string& agent_id,
                                             StoppedBy by, const consent::Policy& policy,
                                             UnixMs now_ms);

/// The peers of the unfinished tasks of `agent_id` and the agents below it, which learn of a stop.
///
/// Thread:  any, with a connection of its own.
Result<std::vector<std::string>> peers_of_tasks(store::Database& db, const std::string& agent_id);

/// Whether a question to the human of `agent_id` or of an agent below it is open, which a stop
/// would close.
///
/// Thread:  any, with a connection of its own.
Result<bool> has_open_question(store::Database& db, const std::string& agent_id);

/// Records the event `kind` of an agent that was created here.
Result<void> record(store::Database& db, const LocalAgent& agent, std::string_view kind,
                    UnixMs now_ms);

}  // namespace a2h::agents
