#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/introduction.h"
#include "core/store/database.h"
#include "core/store/page.h"

namespace a2h::store {

/// Errors:  Conflict if this agent already knows a request with that id, side and peer. Authentic
///          and unverified requests do not conflict with each other (R49).
Result<void> insert_introduction(Database& db, const Introduction& introduction);
/// Of two requests the open one comes first, then the authentic one. With `is_authentic`, only that
/// one.
Result<std::optional<Introduction>> get_introduction(
    Database& db, std::string_view agent_id, std::string_view peer_id, IntroductionSide side,
    std::string_view id, std::optional<bool> is_authentic = std::nullopt);
/// With any peer: in the same order, and the first before later copies of its id.
Result<std::optional<Introduction>> find_introduction(Database& db, std::string_view agent_id,
                                                      IntroductionSide side, std::string_view id);
/// Writes the state and the answer.
///
/// Errors:  NotFound; Conflict unless it was open.
Result<void> settle_introduction(Database& db, const Introduction& settled);

/// Newest first; `before` is 0 or a cursor.
Result<Page<Introduction>> list_introductions(Database& db, std::string_view agent_id,
                                              std::optional<IntroductionState> state,
                                              std::int64_t before, int limit);

}  // namespace a2h::store
