#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// The answer to a request with a key.
struct KeptAnswer {
    std::string request_hash;  ///< hash of method, path and body
    std::string answer_json;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

inline constexpr std::chrono::hours kIdempotencyKeptFor{24};

/// nullopt if the agent did not use `key` within the last 24 h.
Result<std::optional<KeptAnswer>> find_answer(db::Transaction& transaction,
                                              std::string_view agent_id, std::string_view key,
                                              UnixMs now_ms);
/// Call in the transaction that carried out the request, after `find_answer` found nothing.
///
/// Errors:  Conflict if another request with the key was faster.
Result<void> keep_answer(db::Transaction& transaction, std::string_view agent_id,
                         std::string_view key, const KeptAnswer& answer, UnixMs now_ms);
/// Deletes answers older than 24 h and returns their number.
Result<std::int64_t> forget_old_answers(db::Transaction& transaction, UnixMs now_ms);

}  // namespace a2h::market::store
