#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/works_store.h"

namespace a2h::market::store {

/// The newest posts of a tier that a search looks at; deeper pages are empty.
constexpr std::int64_t kSearchDepthMax = 20'000;

// The index changes in the transaction of the post, and works_store calls these two.

/// Puts a stored post into the index as the freshest one.
Result<void> index_works(db::Transaction& transaction, const Works& works);
/// Takes it out again; `works` as it was when it was indexed.
Result<void> unindex_works(db::Transaction& transaction, const Works& works);

/// Posts that have all words of `query`, which has at least one: first those that have them in the
/// title, then the others; within both the freshest first, so pages are stable. Without posts of
/// revoked agents.
Result<std::vector<Works>> search_works(db::Transaction& transaction, const WorksQuery& query);

/// Indexes the posts that are not yet in the index, some in a transaction; returns when all are.
Result<void> index_missing_works(db::Database& database, Progress& progress = no_progress());

}  // namespace a2h::market::store
