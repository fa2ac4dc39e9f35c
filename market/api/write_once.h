#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "market/api/serve.h"

namespace a2h::market {

// For rows of the API with `once`: the answer to a request with the header `Idempotency-Key` is
// kept for 24 h, in the transaction that carried out the request. The same key with the same
// request gets that answer again, and nothing is done. Failures are not kept.
//
// Source:  docs/protocol.md, "Repeating requests".

/// The header's key; nullopt if there is none.
///
/// Errors:  InvalidArgument for a key that is not 1 to 128 printable ASCII characters.
Result<std::optional<OnceKey>> read_once_key(const http::Request& request,
                                             const nlohmann::json& body);

/// The kept answer of the same request, looked up before its handler runs; nullopt if there is
/// none.
///
/// Errors:  Conflict if the caller used the key for another request.
Result<std::optional<nlohmann::json>> kept_answer(ApiParts& parts, const Call& call);

/// Runs `work` in one write transaction and returns its result, or the kept answer if another
/// thread was faster. `work` must follow the rules of db::Database::write.
///
/// Errors:  as above; those of `work`.
Result<nlohmann::json> write_once(
    ApiParts& parts, const Call& call,
    const std::function<Result<nlohmann::json>(db::Transaction&)>& work);

}  // namespace a2h::market
