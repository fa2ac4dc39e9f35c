#pragma once

#include "core/base/clock.h"
#include "market/store/relay_store.h"

namespace a2h::market {

/// The agent in whose name the market sends, created with new keys at the first start.
///
/// Errors:  those of the database.
Result<OwnAgent> open_own_agent(db::Database& database, const Clock& clock);

}  // namespace a2h::market
