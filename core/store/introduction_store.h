#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/introduction.h"
#include "core/store/database.h"
#include "core/store/page.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Errors:  Conflict if this agent already knows a request with that id, side and peer. Authentic
///          and unverified requests do not conflict with each other (R49).
Result<void> insert_introduction(Database& db, const Introduction& introduction);
/// The request with this id; nullopt if there is none. Of two requests an open one comes first,
/// then an authentic one; `is_authentic` selects one of them.
Result<std::optional<Introduction>> get_introduction(
    Database& db, std::string_view agent_id, std::string_view peer_id, IntroductionSide side,
    std::string_view id, std::optional<bool> is_authentic = std::nullopt);
/// The request with this id of any peer, in the same order; the first comes before later copies of
/// its id.
Result<std::optional<Introduction>> find_introduction(Database& db, std::string_view agent_id,
                                                      IntroductionSide side, std::string_view id);
/// Writes the state and the answer.
///
/// Errors:  NotFound; Conflict unless it was open.
Result<void> settle_introduction(Database& db, const Introduction& settled);

/// The requests of an agent, newest first; `before` is 0 or a cursor.
Result<Page<Introduction>> list_introductions(Database& db, std::string_view agent_id,
                                              std::optional<IntroductionState> state,
                                              std::int64_t before, int limit);

}  // namespace a2h::store
