#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/works_store.h"

namespace a2h::market::store {

/// The newest posts of a tier that a search considers; deeper pages are empty.
constexpr std::int64_t kSearchDepthMax = 20'000;

// The index changes in the transaction of the post; works_store calls the first two functions.
//
// Errors:  those of `db::Transaction`.
// Thread:  that of the transaction; `index_missing_works`: any.

/// Adds a stored post to the index as the newest one.
Result<void> index_works(db::Transaction& transaction, const Works& works);
/// Removes it; `works` as it was when it was added.
Result<void> unindex_works(db::Transaction& transaction, const Works& works);

/// Posts that contain all words of `query`, which has at least one: first those with all words in
/// the title, then the others; newest first within both, so pages are stable. Without posts of
/// revoked agents.
Result<std::vector<Works>> search_works(db::Transaction& transaction, const WorksQuery& query);

/// Indexes the posts that are not in the index yet, in several transactions; returns when all are.
Result<void> index_missing_works(db::Database& database, Progress& progress = no_progress());

}  // namespace a2h::market::store
