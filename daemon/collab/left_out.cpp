#include "daemon/collab/left_out.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/store/demand_store.h"
#include "core/store/listing_store.h"
#include "core/store/unanswered_store.h"
#include "daemon/collab/events.h"
#include "daemon/consent/open_matters.h"

namespace a2h::collab {
namespace {

Result<bool> is_open_with(store::Database& db, const std::string& agent_id, const Party& party) {
    store::Between between{.agent_id = agent_id, .peer_id = party.agent_id};
    between.for_mandate = true;
    A2H_ASSIGN_OR_RETURN(auto answers, store::answers_heard(db, agent_id, party.agent_id,
                                                            party.negotiation_id, kDemandMailRule));
    between.message_ids = std::move(answers);
    A2H_ASSIGN_OR_RETURN(const auto listings, store::list_listings(db, agent_id));
    return consent::is_open(db, between, listings);
}

Result<bool> is_open_with_home(const Writing& to, const Run& run, const Party& party) {
    A2H_ASSIGN_OR_RETURN(const auto heard, store::agents_that_heard(to.db, party.agent_id));
    std::set<std::string> ours(to.home.begin(), to.home.end());
    ours.insert(heard.begin(), heard.end());
    ours.insert(run.negotiation.agent_id);
    for (const std::string& agent_id : ours) {
        const auto open = is_open_with(to.db, agent_id, party);
        if (!open || *open) return open;
    }
    return false;
}

}  // namespace

bool is_left_out(const Party& party) {
    return party.state == PartyState::Declined &&
           (!party.offer || party.offer->decision != OfferDecision::Decline);
}

Result<int> leave_out_open(const Writing& to, Run& run, PartyState from) {
    int left_out = 0;
    for (Party& party : run.parties) {
        const bool is_ours =
            std::find(to.home.begin(), to.home.end(), party.agent_id) != to.home.end();
        if (party.state != from || is_ours) continue;
        A2H_ASSIGN_OR_RETURN(const auto open, is_open_with_home(to, run, party));
        if (!open) continue;
        party.state = PartyState::Declined;
        A2H_TRY(store::update_party(to.db, party));
        A2H_TRY(record_left_out(to.db, run.negotiation, party, kOpenMatter, to.now_ms));
        std::erase_if(run.feedback,
                      [&](const Feedback& each) { return each.agent_id == party.agent_id; });
        ++left_out;
    }
    return left_out;
}

}  // namespace a2h::collab
