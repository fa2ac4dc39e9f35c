#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// When a yes, a person's or a mandate's, last sent the peer our agreement to its terms about this
/// listing; 0: never. Questions about no listing and an empty `works_id` count for any.
///
/// Thread:  any, with a connection of its own, as below.
/// Source:  docs/rulings.md, R52.
Result<UnixMs> last_agreement_ms(Database& db, std::string_view agent_id, std::string_view peer_id,
                                 std::string_view works_id);

/// When the market last said that an order between both was created; 0: never.
Result<UnixMs> last_order_ms(Database& db, std::string_view agent_id, std::string_view peer_id);

}  // namespace a2h::store
