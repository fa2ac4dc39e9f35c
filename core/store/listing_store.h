#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/listing.h"
#include "core/store/database.h"

namespace a2h::store {

/// Replaces the local copy of the agent's own listings.
Result<void> replace_listings(Database& db, std::string_view agent_id,
                              const std::vector<Listing>& listings, UnixMs now_ms);
Result<std::vector<Listing>> list_listings(Database& db, std::string_view agent_id);

}  // namespace a2h::store
