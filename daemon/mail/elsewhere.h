#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::mail {

// What another instance of an agent may have answered already: the a2hd that held the agent's lease
// before this one, or this very home after the moment of a backup that was restored. The market's
// history brings such messages in; they are stored and left to the human.
// Source: docs/operations.md, "After a restore" and "Two machines".

/// Messages of the history that were sent before this; 0: none. Thread: as `db`.
Result<UnixMs> elsewhere_before(store::Database& db, std::string_view agent_id);

/// From now on those sent before `before_ms`; `agent_id` empty: of every agent of the home. An
/// earlier time changes nothing. Inside a transaction of the writer.
Result<void> set_elsewhere_before(store::Database& db, std::string_view agent_id, UnixMs before_ms);

/// Rule id of their jobs.
inline constexpr std::string_view kElsewhereRule = "guard.elsewhere";

}  // namespace a2h::mail
