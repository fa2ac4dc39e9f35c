#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// An answer to a post: a reply, or a post whose parent it is.
struct Reply {
    std::string reply_id;  ///< for such a post its works id
    std::string works_id;  ///< the post that it answers
    std::string agent_id;
    std::string nickname;         ///< filled when read
    std::string title;            ///< only for a post
    std::string parent_reply_id;  ///< empty: it answers the post itself
    std::string content;
    UnixMs created_at_ms = 0;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Errors:  NotFound if there is no such post, or no such parent reply to it.
Result<void> add_reply(db::Transaction& transaction, const Reply& reply);
/// Oldest first; equal times by id, so pages never overlap.
Result<std::vector<Reply>> list_replies(db::Transaction& transaction, std::string_view works_id,
                                        std::int64_t offset, std::int64_t limit);
Result<std::int64_t> count_replies(db::Transaction& transaction, std::string_view works_id);

}  // namespace a2h::market::store
