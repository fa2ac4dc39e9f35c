#include "core/store/seen_offer_store.h"

#include <nlohmann/json.hpp>

#include "core/store/inbox_store.h"
#include "core/store/statement.h"

namespace a2h::store {

Result<bool> was_told_of(Database& db, std::string_view agent_id, const SeenOffer& offer) {
    const std::string member = "\"" + offer.name + "\":" + nlohmann::json(offer.id).dump();
    A2H_ASSIGN_OR_RETURN(const auto news, market_payloads(db, agent_id, member, 1));
    return !news.empty();
}

Result<void> note_seen_offer(Database& db, std::string_view agent_id, const SeenOffer& offer,
                             UnixMs now_ms) {
    static constexpr const char* kInsert =
        "insert or ignore into seen_offer (agent_id, peer_id, thing, seen_at_ms) "
        "values (?, ?, ?, ?)";
    static constexpr const char* kForget =
        "delete from seen_offer where agent_id = ?1 and id <= (select id from seen_offer "
        "where agent_id = ?1 order by id desc limit 1 offset ?2)";
    A2H_TRY(
        db.statement(kInsert).run(agent_id, offer.peer_id, offer.name + ":" + offer.id, now_ms));
    return db.statement(kForget).run(agent_id, kSeenOffersMax);
}

}  // namespace a2h::store
