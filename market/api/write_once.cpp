#include "market/api/write_once.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/crypto.h"
#include "market/store/idempotency_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kKeyCharactersMax = 128;

Result<void> check_key(std::string_view key) {
    const bool printable =
        std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (printable && key.size() <= kKeyCharactersMax) return {};
    return fail(ErrorCode::InvalidArgument,
                "Idempotency-Key must be 1 to 128 printable ASCII characters");
}

Result<std::optional<json>> find_kept(db::Transaction& transaction, const Call& call,
                                      UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto kept, store::find_answer(transaction, call.caller.agent_id,
                                                             call.once->key, now_ms));
    if (!kept) return std::optional<json>();
    if (kept->request_hash != call.once->request_hash) {
        return fail(ErrorCode::Conflict,
                    "this Idempotency-Key was used for another request; use a new one");
    }
    return std::optional(json::parse(kept->answer_json, nullptr, false));
}

}  // namespace

Result<std::optional<OnceKey>> read_once_key(const http::Request& request, const json& body) {
    const std::string_view key = request.header("idempotency-key");
    if (key.empty()) return std::optional<OnceKey>();
    A2H_TRY(check_key(key));
    // The parsed body, so that another spelling of the same request counts as the same request.
    return std::optional(
        OnceKey{std::string(key),
                wire::sha256_hex(request.method + "\n" + request.path + "\n" + body.dump())});
}

Result<std::optional<json>> kept_answer(ApiParts& parts, const Call& call) {
    if (!call.once) return std::optional<json>();
    const UnixMs now_ms = parts.clock.now_ms();
    return parts.database.read_with(find_kept, call, now_ms);
}

Result<json> write_once(ApiParts& parts, const Call& call,
                        const std::function<Result<json>(db::Transaction&)>& work) {
    if (!call.once) return parts.database.write_as<json>(work);
    const UnixMs now_ms = parts.clock.now_ms();
    return parts.database.write_as<json>([&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(auto kept, find_kept(transaction, call, now_ms));
        if (kept) return std::move(*kept);
        auto answer = work(transaction);
        if (!answer) return answer;
        A2H_TRY(store::keep_answer(transaction, call.caller.agent_id, call.once->key,
                                   {call.once->request_hash, answer->dump()}, now_ms));
        return answer;
    });
}

}  // namespace a2h::market
