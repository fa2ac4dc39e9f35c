#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/deal.h"
#include "core/store/database.h"
#include "core/store/deal_store.h"

namespace a2h::deals {

// The deals that tools, commands and the page show.
//
// Errors:  those of the database.
// Thread:  that of `db`.

/// `deal` as it is at `now_ms` (`deal_json`), with "title" and "price" of a listing of our own.
Result<nlohmann::json> shown(store::Database& db, Deal deal, UnixMs now_ms);

/// `{"items","page","limit","more"}`: the deals of `filter` as `shown`, newest first.
Result<nlohmann::json> list_shown(store::Database& db, const store::DealFilter& filter,
                                  UnixMs now_ms);

/// The ids of the open questions about this peer, oldest first.
Result<nlohmann::json> questions_about(store::Database& db, std::string_view agent_id,
                                       std::string_view peer_id);

}  // namespace a2h::deals
