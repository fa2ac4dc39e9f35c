#pragma once

#include <string>
#include <vector>

#include "daemon/consent/continuing.h"
#include "daemon/consent/matters.h"

namespace a2h::bargain {

/// The bargain of which `message` is an offer, an acceptance or the end, if a mandate has written
/// or released it (`consent::FindMatter`).
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<consent::MatterPtr> find_matter(store::Database& db, const OutboxMessage& message,
                                       const Approval* yes);

/// The ids of the peer's messages that were moves of a bargain, and the time of the last agreement
/// by one, as `consent::ContinuingRow` asks for them.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<std::vector<std::string>> steps_heard(store::Database& db, const std::string& agent_id,
                                             const std::string& peer_id);
Result<UnixMs> last_agreed_ms(store::Database& db, const consent::Subject& subject);

}  // namespace a2h::bargain
