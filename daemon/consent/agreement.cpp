#include "daemon/consent/agreement.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/store/agreement_store.h"
#include "core/store/inbox_store.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/newer.h"

namespace a2h::consent {
namespace {

constexpr int kNewsReadMax = 1'000;  // of the market for one agent, the newest

/// Whether the market has said since `since_ms` that an order with the peer was created.
Result<bool> was_ordered_since(store::Database& db, const Subject& subject, UnixMs since_ms) {
    const std::string peer = nlohmann::json(subject.peer_id).dump();
    A2H_ASSIGN_OR_RETURN(
        const auto news,
        store::market_payloads(
            db, subject.agent_id,
            {.text = peer, .limit = kNewsReadMax, .since_ms = since_ms, .read_max = kNewsReadMax}));
    return std::any_of(news.begin(), news.end(), [&](const std::string& payload_json) {
        const auto later = later_by_news(subject.agent_id, payload_json);
        return later && later->begins_order && later->peer_id == subject.peer_id;
    });
}

}  // namespace

Result<bool> has_standing_agreement(store::Database& db, const Subject& subject) {
    A2H_ASSIGN_OR_RETURN(
        const auto released_ms,
        store::last_agreement_ms(db, {subject.agent_id, subject.peer_id, subject.works_id},
                                 accepting_types()));
    A2H_ASSIGN_OR_RETURN(const auto continued_ms, last_agreed_ms(db, subject));
    const UnixMs agreed_ms = std::max(released_ms, continued_ms);
    if (agreed_ms == 0) return false;
    A2H_ASSIGN_OR_RETURN(const bool was_ordered, was_ordered_since(db, subject, agreed_ms));
    return !was_ordered;
}

}  // namespace a2h::consent
