#include "daemon/operations/seen_offers.h"

#include <utility>

namespace a2h::operations {
namespace {

/// Errors:  those of the database.
Result<std::vector<store::SeenOffer>> unknown(const kernel::Kernel& kernel,
                                              const std::string& agent_id,
                                              std::vector<store::SeenOffer> offers) {
    std::vector<store::SeenOffer> left;
    for (store::SeenOffer& offer : offers) {
        A2H_ASSIGN_OR_RETURN(const auto known,
                             store::is_known_offer(kernel.reader, agent_id, offer));
        if (!known) left.push_back(std::move(offer));
    }
    return left;
}

}  // namespace

trade::OurNames our_names(const Agents& agents, const Agent& reader) {
    trade::OurNames ours;
    ours.agent_id = reader.identity.account.agent_id;
    for (const auto& [id, agent] : agents) {
        ours.agent_ids.push_back(id);
        ours.whole_words.push_back(agent->identity.name);
        for (const Listing& listing : agent->listings) {
            ours.works_ids.push_back(listing.works_id);
            ours.whole_words.push_back(listing.title);
        }
    }
    return ours;
}

WordsInProfiles::Finder WordsInProfiles::finder(const Agent& reader) const {
    return [ours = our_names(agents_, reader)](const nlohmann::json& answer) {
        return trade::offers_in(answer, ours);
    };
}

void note_what_waits(const kernel::Kernel& kernel, const std::string& agent_id,
                     std::vector<store::SeenOffer> offers,
                     std::function<void(const Result<void>&)> then) {
    auto left = unknown(kernel, agent_id, std::move(offers));
    if (!left) return then(fail(left.error()));
    if (left->empty()) return then({});
    kernel.write(
        store::Writer::Priority::Urgent,
        [agent_id, left = std::move(*left), now_ms = kernel.clock.now_ms()](store::Database& db) {
            return store::note_seen_offers(db, agent_id, left, now_ms);
        },
        std::move(then));
}

}  // namespace a2h::operations
