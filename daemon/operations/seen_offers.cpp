#include "daemon/operations/seen_offers.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/seen_offer_store.h"
#include "daemon/trade/waiting.h"

namespace a2h::operations {
namespace {

/// Errors: the database's.
Result<std::vector<store::SeenOffer>> untold(Runtime& runtime, const std::string& agent_id,
                                             const nlohmann::json& data) {
    std::vector<store::SeenOffer> left;
    for (store::SeenOffer& offer : trade::waiting_in(data, agent_id)) {
        A2H_ASSIGN_OR_RETURN(const auto told,
                             store::was_told_of(runtime.context.reader, agent_id, offer));
        if (!told) left.push_back(std::move(offer));
    }
    return left;
}

}  // namespace

void note_what_waits(Runtime& runtime, const Agent& agent, const nlohmann::json& data,
                     std::function<void(const Result<void>&)> then) {
    const std::string& agent_id = agent.identity.account.agent_id;
    auto offers = untold(runtime, agent_id, data);
    if (!offers) return then(fail(offers.error()));
    if (offers->empty()) return then({});
    runtime.context.write(
        store::Writer::Priority::Urgent,
        [agent_id, offers = std::move(*offers),
         now_ms = runtime.context.clock.now_ms()](store::Database& db) -> Result<void> {
            for (const store::SeenOffer& offer : offers)
                A2H_TRY(store::note_seen_offer(db, agent_id, offer, now_ms));
            return {};
        },
        std::move(then));
}

}  // namespace a2h::operations
