#include "daemon/operations/seen_offers.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/seen_offer_store.h"
#include "daemon/kernel/services.h"
#include "daemon/trade/waiting.h"

namespace a2h::operations {
namespace {

/// Errors:  those of the database.
Result<std::vector<store::SeenOffer>> untold(const kernel::Services& kernel,
                                             const std::string& agent_id,
                                             const nlohmann::json& data) {
    std::vector<store::SeenOffer> left;
    for (store::SeenOffer& offer : trade::waiting_in(data, agent_id)) {
        A2H_ASSIGN_OR_RETURN(const auto told, store::was_told_of(kernel.reader, agent_id, offer));
        if (!told) left.push_back(std::move(offer));
    }
    return left;
}

}  // namespace

void note_what_waits(const kernel::Services& kernel, const Agent& agent, const nlohmann::json& data,
                     std::function<void(const Result<void>&)> then) {
    const std::string& agent_id = agent.identity.account.agent_id;
    auto offers = untold(kernel, agent_id, data);
    if (!offers) return then(fail(offers.error()));
    if (offers->empty()) return then({});
    kernel.write(
        store::Writer::Priority::Urgent,
        [agent_id, offers = std::move(*offers),
         now_ms = kernel.clock.now_ms()](store::Database& db) -> Result<void> {
            for (const store::SeenOffer& offer : offers)
                A2H_TRY(store::note_seen_offer(db, agent_id, offer, now_ms));
            return {};
        },
        std::move(then));
}

}  // namespace a2h::operations
