#include "core/store/market_matter_store.h"

#include <algorithm>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// Conditions under which somebody's yes has acted on an order or a proposal at the market.
#define A2H_WAS_DONE                                                \
    "a.agent_id = ?1 and a.status = 'approved' and a.peer_id = ?2 " \
    "and a.outcome = 'executed' and a.action in ('order.action', 'proposal.update') "
/// Conditions under which somebody's yes has answered a request for proposals.
#define A2H_HAS_PROPOSED                                            \
    "a.agent_id = ?1 and a.status = 'approved' and a.peer_id = ?2 " \
    "and a.outcome = 'executed' and a.action = 'proposal.submit' "

/// The time of the market's last news about an item of the peer that waits: an order that this
/// agent, its customer, has to confirm or refuse, a proposal, or a message of a session.
Result<std::optional<UnixMs>> waits_in_news_since(Database& db, const Between& between) {
    static constexpr const char* kSql =
        "with news as materialized (select i.id, i.received_at_ms, i.payload_json from inbox i "
        "indexed by inbox_platform where i.agent_id = ?1 and i.source = 'platform' "
        "order by i.id desc limit ?3) select received_at_ms from news "
        "where instr(payload_json, json_quote(?2)) > 0 and "
        "(json_extract(payload_json, '$.type') = 'session.event' "
        "or (json_extract(payload_json, '$.type') = 'rfp.event' "
        "and (?4 = '' or instr(payload_json, json_quote(?4)) = 0) "
        "and not (?5 = 1 and exists (select 1 from approval a where " A2H_HAS_PROPOSED
        "and instr(news.payload_json, "
        "json_quote(json_extract(a.action_json, '$.request.rfp_id'))) > 0))) "
        "or (json_extract(payload_json, '$.type') = 'proposal.event' "
        "and (?4 = '' or instr(payload_json, json_quote(?4)) = 0) "
        "and not (?5 = 1 and exists (select 1 from approval a "
        "where " A2H_WAS_DONE
        "and instr(news.payload_json, "
        "json_quote(json_extract(a.action_json, '$.request.proposal_id'))) > 0))) "
        "or (json_extract(payload_json, '$.type') = 'order.event' "
        "and (?4 = '' or json_extract(payload_json, '$.order.orderId') <> ?4) "
        "and json_extract(payload_json, '$.order.status') = 'PENDING_CONFIRM' "
        "and json_extract(payload_json, '$.order.currentType') = 1 "
        "and not (?5 = 1 and (exists (select 1 from approval a where " A2H_WAS_DONE
        "and json_extract(a.action_json, '$.request.order_id') = "
        "json_extract(news.payload_json, '$.order.orderId')) "
        "or exists (select 1 from news later where later.id > news.id "
        "and json_extract(later.payload_json, '$.type') = 'order.event' "
        "and json_extract(later.payload_json, '$.order.orderId') = "
        "json_extract(news.payload_json, '$.order.orderId') "
        "and json_extract(later.payload_json, '$.order.status') "
        "not in ('PENDING_CONFIRM', 'CANCELLED')))))) "
        "order by received_at_ms desc limit 1";
    return db.statement(kSql).first(sql::kFirstNumber, between.agent_id, between.peer_id,
                                    kOpenReadMax, between.market_id, between.for_mandate ? 1 : 0);
}

/// The time of the newest item that was read at the market, waits there, and was not in its news.
Result<std::optional<UnixMs>> was_read_since(Database& db, const Between& between) {
    static constexpr const char* kSql =
        "select max(seen_at_ms) from seen_offer indexed by seen_offer_peer "
        "where agent_id = ?1 and peer_id in (?2, '') "
        "and thing not in ('orderId:' || ?3, 'proposal_id:' || ?3) "
        "and not (?4 = 1 and exists (select 1 from approval a where " A2H_WAS_DONE
        "and thing in ('orderId:' || json_extract(a.action_json, '$.request.order_id'), "
        "'proposal_id:' || json_extract(a.action_json, '$.request.proposal_id')))) "
        "having max(seen_at_ms) is not null";
    return db.statement(kSql).first(sql::kFirstNumber, between.agent_id, between.peer_id,
                                    between.market_id, between.for_mandate ? 1 : 0);
}

}  // namespace

Result<std::optional<UnixMs>> open_at_market_since(Database& db, const Between& between) {
    A2H_ASSIGN_OR_RETURN(const auto reported, waits_in_news_since(db, between));
    A2H_ASSIGN_OR_RETURN(const auto read, was_read_since(db, between));
    return std::max(reported, read);
}

Result<std::vector<Said>> market_news_after(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, const SaidAfter& after,
                                            int max) {
    static constexpr const char* kSql =
        "select received_at_ms, id, message_id, payload_json from (select id, message_id, "
        "payload_json, received_at_ms from inbox indexed by inbox_platform where agent_id = ?1 "
        "and source = 'platform' order by id desc limit ?4) where id > ?5 "
        "and instr(payload_json, json_quote(?2)) > 0 "
        "and (json_extract(payload_json, '$.type') in ('session.event', 'rfp.event', "
        "'proposal.event') or (json_extract(payload_json, '$.type') = 'order.event' "
        "and json_extract(payload_json, '$.order.currentType') = 1 "
        "and json_extract(payload_json, '$.order.status') in ('PENDING_CONFIRM', 'CANCELLED'))) "
        "and received_at_ms > ?6 order by id desc limit ?3";
    LastRelease released;
    if (after.since_release) {
        A2H_ASSIGN_OR_RETURN(released, last_release(db, agent_id, peer_id));
    }
    return db.statement(kSql).all(
        [](Row& row) {
            Said said;
            said.from = Said::From::News;
            said.at_ms = row.integer(0);
            said.inbox_id = row.integer(1);
            said.id = row.text(2);
            said.payload_json = row.text(3);
            return said;
        },
        agent_id, peer_id, max, kOpenReadMax, after.inbox_id, released.text_ms);
}

}  // namespace a2h::store
