#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/listing.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Replaces the local copy of the agent's own listings. Call inside a transaction. A listing
/// without a time gets `now_ms`.
///
/// Errors:  Conflict if two have the same works id.
Result<void> replace_listings(Database& db, std::string_view agent_id,
                              const std::vector<Listing>& listings, UnixMs now_ms);
/// The agent's own listings, newest first.
Result<std::vector<Listing>> list_listings(Database& db, std::string_view agent_id);
/// The agent's own listing `works_id`; nullopt if it has none with this id.
Result<std::optional<Listing>> find_listing(Database& db, std::string_view agent_id,
                                            std::string_view works_id);

}  // namespace a2h::store
