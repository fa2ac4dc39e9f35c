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

/// The parsed body, so that another spelling of the same request is the same request.
std::string request_hash(const Call& call) {
    return wire::sha256_hex(call.request.method + "\n" + call.request.path + "\n" +
                            call.body.dump());
}

}  // namespace

Result<json> write_once(Service& service, const Call& call,
                        const std::function<Result<json>(db::Transaction&)>& work) {
    const std::string key(call.request.header("idempotency-key"));
    if (key.empty()) return service.database.write_as<json>(work);
    A2H_TRY(check_key(key));
    const std::string& agent_id = call.caller.agent_id;
    const std::string hash = request_hash(call);
    const UnixMs now_ms = service.clock.now_ms();
    return service.database.write_as<json>([&](db::Transaction& transaction) -> Result<json> {
        const auto kept = store::find_answer(transaction, agent_id, key, now_ms);
        if (!kept) return fail(kept.error());
        if (*kept && (*kept)->request_hash != hash) {
            return fail(ErrorCode::Conflict,
                        "this Idempotency-Key was used for another request; take a new one");
        }
        if (*kept) return json::parse((*kept)->answer_json, nullptr, false);
        auto answer = work(transaction);
        if (!answer) return answer;
        A2H_TRY(store::keep_answer(transaction, agent_id, key, {hash, answer->dump()}, now_ms));
        return answer;
    });
}

}  // namespace a2h::market
