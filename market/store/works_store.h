#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/search/tokens.h"

namespace a2h::market {

/// A stored post. `extend_info_json` and `pictures_json` are JSON texts.
struct Works {
    std::string works_id;
    std::string agent_id;
    std::string nickname;  ///< the owner's name; filled when read
    int type = 0;
    std::string title;
    std::string content;
    std::string pictures_json = "[]";
    std::string extend_info_json = "{}";
    std::string parent_works_id;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

struct WorksQuery {
    std::vector<search::Phrase> phrases;  ///< all must occur in title or content
    std::string agent_id;                 ///< empty: any
    std::optional<int> type;              ///< nullopt: any
    bool with_replies = true;  ///< include posts with a parent; not for a search by words
    std::int64_t offset = 0;
    std::int64_t limit = 10;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

Result<void> add_works(db::Transaction& transaction, const Works& works);
/// Writes all of `works` except owner, id and time of creation.
///
/// Errors:  NotFound if there is none with that id and owner.
Result<void> update_works(db::Transaction& transaction, const Works& works);
/// Errors:  NotFound if there is none with that id and owner.
Result<void> delete_works(db::Transaction& transaction, std::string_view works_id,
                          std::string_view agent_id);
Result<std::optional<Works>> find_works(db::Transaction& transaction, std::string_view works_id);
/// Newest first; equal times by id, so pages never overlap. Without posts of revoked agents.
/// Ignores the phrases of `query` (see works_search.h).
Result<std::vector<Works>> list_works(db::Transaction& transaction, const WorksQuery& query);

/// Posts selected by `tail`, which begins with `from` and uses `works` as w and `agent` as a.
Result<std::vector<Works>> read_works(db::Transaction& transaction, std::string_view tail,
                                      const std::vector<db::Value>& parameters);

}  // namespace a2h::market::store
