#include "market/relay/own_agent.h"

#include "core/base/ids.h"
#include "core/wire/crypto.h"

namespace a2h::market {
namespace {

constexpr std::string_view kName = "A2H Market";
constexpr std::size_t kAgentKeyBytes = 32;

OwnAgent new_own_agent(UnixMs now_ms) {
    wire::KeyPair keys = wire::new_key_pair();
    return {.agent = {.agent_id = new_agent_id(),
                      .name = std::string(kName),
                      .agent_key = random_hex(kAgentKeyBytes),
                      .key_id = std::move(keys.key_id),
                      .public_key = std::move(keys.public_key),
                      .require_nonce = true,
                      .created_at_ms = now_ms},
            .secret_key = std::move(keys.secret_key)};
}

}  // namespace

Result<OwnAgent> open_own_agent(db::Database& database, const Clock& clock) {
    return database.write_as<OwnAgent>([&](db::Transaction& transaction) -> Result<OwnAgent> {
        A2H_ASSIGN_OR_RETURN(auto present, store::find_own_agent(transaction));
        if (present) return std::move(*present);
        const OwnAgent fresh = new_own_agent(clock.now_ms());
        A2H_TRY(store::add_own_agent(transaction, fresh));
        return fresh;
    });
}

}  // namespace a2h::market
