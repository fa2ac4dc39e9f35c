#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "market/api/service.h"

namespace a2h::market {

/// Runs `work` in one write transaction and answers what it answers. With the header
/// `Idempotency-Key` that answer is kept for 24 h in the same transaction: the same key with the
/// same request gets it again and `work` does not run. What fails is not kept.
///
/// `work` obeys the rules of db::Database::write.
/// Errors:  InvalidArgument for a key that is not 1 to 128 printable ASCII characters; Conflict
///          when the caller used the key for another request; those of `work`.
/// Source:  docs/protocol.md, "Repeating requests".
Result<nlohmann::json> write_once(
    Service& service, const Call& call,
    const std::function<Result<nlohmann::json>(db::Transaction&)>& work);

}  // namespace a2h::market
