#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/introduction.h"
#include "core/store/database.h"
#include "core/store/page.h"

namespace a2h::store {

/// Errors: Conflict when this agent knows a request of that id and side with this peer already;
/// what nobody could check and what is authentic do not stand in each other's way (R49).
Result<void> insert_introduction(Database& db, const Introduction& introduction);
/// Of two the one that is open comes first, then the authentic one. `is_authentic`: only that one.
Result<std::optional<Introduction>> get_introduction(
    Database& db, std::string_view agent_id, std::string_view peer_id, IntroductionSide side,
    std::string_view id, std::optional<bool> is_authentic = std::nullopt);
/// Whoever it is with: the same order, and the first before who has copied its id.
Result<std::optional<Introduction>> find_introduction(Database& db, std::string_view agent_id,
                                                      IntroductionSide side, std::string_view id);
/// Writes the state and what the answer said. Errors: NotFound; Conflict unless it was open.
Result<void> settle_introduction(Database& db, const Introduction& settled);

/// Newest first; `before` is 0 or a cursor.
Result<Page<Introduction>> list_introductions(Database& db, std::string_view agent_id,
                                              std::optional<IntroductionState> state,
                                              std::int64_t before, int limit);

}  // namespace a2h::store
