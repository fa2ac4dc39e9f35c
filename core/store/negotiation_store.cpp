#include "core/store/negotiation_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_NEGOTIATION_SELECT                                                            \
    "select id, agent_id, peer_id, works_id, mandate_id, state, language, listing_hash, " \
    "committed_minor, committed_at_ms, close_at_ms from negotiation "

Negotiation read_negotiation(Row& row) {
    return Negotiation{row.integer(0), row.text(1),    row.text(2),    row.text(3),
                       row.text(4),    row.text(5),    row.text(6),    row.text(7),
                       row.integer(8), row.integer(9), row.integer(10)};
}

NegotiationMove read_move(Row& row) {
    return NegotiationMove{row.integer(0) == 1, row.text(1), row.integer(2), row.text(3),
                           row.integer(4)};
}

}  // namespace

Result<std::optional<Negotiation>> open_negotiation(Database& db, std::string_view agent_id,
                                                    std::string_view peer_id,
                                                    std::string_view works_id) {
    static constexpr const char* kSql = A2H_NEGOTIATION_SELECT
        "where agent_id = ? and peer_id = ? and works_id = ? and state = 'open'";
    return db.statement(kSql).first(read_negotiation, agent_id, peer_id, works_id);
}

Result<std::optional<Negotiation>> find_negotiation(Database& db, std::string_view mandate_id,
                                                    std::string_view peer_id,
                                                    std::string_view works_id) {
    static constexpr const char* kSql =
        A2H_NEGOTIATION_SELECT "where mandate_id = ? and peer_id = ? and works_id = ?";
    return db.statement(kSql).first(read_negotiation, mandate_id, peer_id, works_id);
}

Result<std::int64_t> insert_negotiation(Database& db, const Negotiation& negotiation) {
    static constexpr const char* kSql =
        "insert into negotiation (agent_id, peer_id, works_id, mandate_id, state, language, "
        "listing_hash, committed_minor, committed_at_ms, close_at_ms) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(negotiation.agent_id, negotiation.peer_id, negotiation.works_id,
                       negotiation.mandate_id, negotiation.state, negotiation.language,
                       negotiation.listing_hash, negotiation.committed_minor,
                       negotiation.committed_at_ms, negotiation.close_at_ms));
    return insert.last_id();
}

Result<void> update_negotiation(Database& db, const Negotiation& negotiation) {
    static constexpr const char* kSql =
        "update negotiation set state = ?2, committed_minor = ?3, committed_at_ms = ?4, "
        "close_at_ms = ?5 where id = ?1";
    return db.statement(kSql).run(negotiation.id, negotiation.state, negotiation.committed_minor,
                                  negotiation.committed_at_ms, negotiation.close_at_ms);
}

Result<void> append_move(Database& db, std::int64_t negotiation_id, const NegotiationMove& move) {
    static constexpr const char* kSql =
        "insert into negotiation_move (negotiation_id, number, is_ours, kind, amount_minor, "
        "message_id, at_ms) values (?1, 1 + (select coalesce(max(number), 0) from "
        "negotiation_move where negotiation_id = ?1), ?2, ?3, ?4, ?5, ?6)";
    return db.statement(kSql).run(negotiation_id, move.is_ours ? 1 : 0, move.kind,
                                  move.amount_minor, move.message_id, move.at_ms);
}

Result<std::vector<NegotiationMove>> moves_of(Database& db, std::int64_t negotiation_id) {
    static constexpr const char* kSql =
        "select is_ours, kind, amount_minor, message_id, at_ms from negotiation_move "
        "where negotiation_id = ? order by number";
    return db.statement(kSql).all(read_move, negotiation_id);
}

Result<std::vector<Negotiation>> silent_negotiations(Database& db, UnixMs now_ms, int limit) {
    static constexpr const char* kSql = A2H_NEGOTIATION_SELECT
        "where state = 'open' and close_at_ms > 0 and close_at_ms <= ? order by close_at_ms "
        "limit ?";
    return db.statement(kSql).all(read_negotiation, now_ms, limit);
}

Result<void> hand_over_negotiations(Database& db, std::string_view agent_id,
                                    std::string_view peer_id, std::string_view works_id) {
    static constexpr const char* kSql =
        "update negotiation set state = 'handed_over', close_at_ms = 0 "
        "where agent_id = ?1 and peer_id = ?2 and ?3 in ('', works_id) and state = 'open'";
    return db.statement(kSql).run(agent_id, peer_id, works_id);
}

Result<UnixMs> last_heard_ms(Database& db, std::string_view agent_id, std::string_view peer_id) {
    static constexpr const char* kSql =
        "select coalesce((select received_at_ms from inbox where agent_id = ? and sender_id = ? "
        "and provenance in ('verified', 'vouched') order by received_at_ms desc limit 1), 0)";
    return db.statement(kSql).number(agent_id, peer_id);
}

}  // namespace a2h::store
