#include "daemon/collab/left_out.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/store/demand_store.h"
#include "core/store/listing_store.h"
#include "core/store/open_matter_store.h"
#include "daemon/collab/events.h"
#include "daemon/consent/open_matters.h"

namespace a2h::collab {
namespace {

Result<bool> is_open_with(store::Database& db, const std::string& agent_id,
                          const store::Between& about) {
    store::Between between{.agent_id = agent_id, .peer_id = about.peer_id};
    between.for_mandate = true;
    A2H_ASSIGN_OR_RETURN(auto answers, store::answers_heard(db, agent_id, about.peer_id,
                                                            about.negotiation_id, kDemandMailRule));
    between.message_ids = std::move(answers);
    A2H_ASSIGN_OR_RETURN(const auto listings, store::list_listings(db, agent_id));
    return consent::is_open(db, between, listings);
}

Result<bool> is_open_with_party(const Writing& to, const Run& run, const Party& party) {
    if (to.is_unread) return true;
    return is_open_beside(to.db, to.home,
                          {.agent_id = run.negotiation.agent_id,
                           .peer_id = party.agent_id,
                           .negotiation_id = party.negotiation_id});
}

}  // namespace

Result<bool> is_open_beside(store::Database& db, const std::vector<std::string>& home,
                            const store::Between& about) {
    A2H_ASSIGN_OR_RETURN(const auto heard, store::agents_that_heard(db, about.peer_id));
    std::set<std::string> ours(home.begin(), home.end());
    ours.insert(heard.begin(), heard.end());
    ours.insert(about.agent_id);
    for (const std::string& agent_id : ours) {
        const auto open = is_open_with(db, agent_id, about);
        if (!open || *open) return open;
    }
    return false;
}

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
        A2H_ASSIGN_OR_RETURN(const auto open, is_open_with_party(to, run, party));
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
