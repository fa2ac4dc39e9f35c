#include "daemon/consent/open_matters.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/store/inbox_store.h"
#include "core/store/listing_store.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/continuing.h"
#include "daemon/consent/open_rows.h"
#include "daemon/decide/conversation_order.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/free_words.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

/// Whether the subject `id` of a peer's message is empty or an id that cannot be a sentence.
bool is_plain_subject(const std::string& id, const std::vector<Listing>& listings) {
    const auto is_own = [&](const Listing& listing) { return listing.works_id == id; };
    return id.empty() || is_wordless_id(id) || decide::is_order_id(id) ||
           std::any_of(listings.begin(), listings.end(), is_own);
}

/// Combines `between` with every other agent of this home that knows the peer.
Result<bool> is_open_in_home(store::Database& db, store::Between between) {
    A2H_ASSIGN_OR_RETURN(const auto agents, store::agents_that_heard(db, between.peer_id));
    A2H_ASSIGN_OR_RETURN(auto heard, steps_heard(db, between.agent_id, between.peer_id));
    between.for_mandate = true;
    between.message_ids.insert(between.message_ids.end(), heard.begin(), heard.end());
    A2H_ASSIGN_OR_RETURN(const auto listings, store::list_listings(db, between.agent_id));
    A2H_ASSIGN_OR_RETURN(const auto open, is_open(db, between, listings));
    if (open) return true;
    for (const std::string& agent_id : agents) {
        if (agent_id == between.agent_id) continue;
        const store::Between other{.agent_id = agent_id,
                                   .peer_id = between.peer_id,
                                   .negotiation_id = between.negotiation_id,
                                   .for_mandate = true};
        A2H_ASSIGN_OR_RETURN(const auto theirs, store::list_listings(db, agent_id));
        A2H_ASSIGN_OR_RETURN(const auto elsewhere, is_open(db, other, theirs));
        if (elsewhere) return true;
    }
    return false;
}

/// A job has the id of its message.
Result<void> leave_out_row(store::Database& db, store::Between& between, std::int64_t inbox_id) {
    if (inbox_id == 0) return {};
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(db, inbox_id));
    if (message) between.message_ids.push_back(message->message_id);
    return {};
}

}  // namespace

bool leaves_open(const store::Heard& heard, const std::vector<Listing>& listings) {
    const bool has_plain_ids = is_wordless_id(heard.message_id) &&
                               (heard.trace_id.empty() || is_wordless_id(heard.trace_id));
    const json payload = json::parse(heard.payload_json, nullptr, false);
    const std::string text = wire::text_member(payload, "text");
    if (!has_plain_ids || !is_plain_subject(wire::text_member(payload, "worksId"), listings) ||
        !is_plain_subject(wire::text_member(payload, "orderId"), listings)) {
        return true;
    }
    if (heard.is_fixed || decide::is_greeting_or_thanks(text)) return false;
    return !heard.is_answered || !decide::asks_for_facts_only(text, listings);
}

Result<bool> is_open(store::Database& db, const store::Between& between,
                     const std::vector<Listing>& listings) {
    A2H_ASSIGN_OR_RETURN(const auto asked, store::is_asked_or_in_talks(db, between));
    if (asked) return true;
    A2H_ASSIGN_OR_RETURN(const auto waits, has_open_mail_or_row(db, between));
    if (waits) return true;
    A2H_ASSIGN_OR_RETURN(const auto heard, store::heard_since_release(db, between));
    // What lies behind so many messages is not read, so it counts as open.
    if (heard.size() >= store::kOpenReadMax) return true;
    return std::any_of(heard.begin(), heard.end(),
                       [&](const store::Heard& message) { return leaves_open(message, listings); });
}

Result<bool> is_other_open(store::Database& db, const Approval& approval,
                           std::int64_t accepts_inbox_id) {
    const OwnMatter own = own_matter_of(approval);
    store::Between between{.agent_id = approval.agent_id, .peer_id = approval.peer_id};
    between.approval_id = approval.id;
    between.negotiation_id = own.negotiation_id;
    if (!own.market_ids.empty()) between.market_id = own.market_ids.front();
    A2H_TRY(leave_out_row(db, between, accepts_inbox_id));
    A2H_TRY(leave_out_row(db, between, approval.job_id));
    return is_open_in_home(db, std::move(between));
}

Result<bool> is_open_beside(store::Database& db, store::Between between, std::int64_t job_id) {
    A2H_TRY(leave_out_row(db, between, job_id));
    return is_open_in_home(db, std::move(between));
}

}  // namespace a2h::consent
