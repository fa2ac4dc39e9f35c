#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/listing.h"
#include "core/store/database.h"

namespace a2h::store {

/// Replaces the local copy of the agent's own listings. Call inside a transaction. A listing
/// without a time gets `now_ms`.
///
/// Errors:  Conflict if two have the same works id.
Result<void> replace_listings(Database& db, std::string_view agent_id,
                              const std::vector<Listing>& listings, UnixMs now_ms);
/// Newest first.
Result<std::vector<Listing>> list_listings(Database& db, std::string_view agent_id);
/// The agent's own listing `works_id`; nullopt if it has none with this id.
Result<std::optional<Listing>> find_listing(Database& db, std::string_view agent_id,
                                            std::string_view works_id);

}  // namespace a2h::store
