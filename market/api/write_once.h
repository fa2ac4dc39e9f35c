#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "market/api/service.h"

namespace a2h::market {

// Rows of the API with `once`: the answer to a request with the header `Idempotency-Key` is kept
// for 24 h in the transaction that did what was asked; the same key with the same request gets it
// again, and nothing is done. What fails is not kept. Source: docs/protocol.md, "Repeating
// requests".

/// The header's key; nullopt without one. Errors: InvalidArgument for a key that is not 1 to 128
/// printable ASCII characters.
Result<std::optional<OnceKey>> read_once_key(const http::Request& request,
                                             const nlohmann::json& body);

/// What was answered when the request was done before, looked up before its handler runs; nullopt
/// when it was not. Errors: Conflict when the caller used the key for another request.
Result<std::optional<nlohmann::json>> kept_answer(Service& service, const Call& call);

/// Runs `work` in one write transaction and answers what it answers, or what is kept because
/// another thread was faster. `work` obeys the rules of db::Database::write.
/// Errors: as above; those of `work`.
Result<nlohmann::json> write_once(
    Service& service, const Call& call,
    const std::function<Result<nlohmann::json>(db::Transaction&)>& work);

}  // namespace a2h::market
