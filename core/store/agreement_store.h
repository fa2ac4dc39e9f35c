#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// The two agents and the listing whose agreement is looked for. An empty `works_id` stands for any
/// listing, and an agreement about no listing counts for every one.
struct Agreement {
    std::string_view agent_id;
    std::string_view peer_id;
    std::string_view works_id;
};

/// When a yes, a person's or a mandate's, last sent the peer our agreement to its terms; 0: never.
/// A message that never left does not count.
/// A message of one of `accepting_types` agrees.
///
/// Errors:  those of the database.
/// Thread:  any, with a connection of its own.
/// Source:  docs/rulings.md, R52.
Result<UnixMs> last_agreement_ms(Database& db, const Agreement& about,
                                 const std::vector<std::string>& accepting_types);

}  // namespace a2h::store
