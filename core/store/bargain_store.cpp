#include "core/store/bargain_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kBargain = sql::table<Bargain>(
    "bargain", A2H_COLUMNS(Bargain, id, agent_id, peer_id, works_id, mandate_id, state, language,
                           listing_hash, committed_minor, committed_at_ms, close_at_ms));

BargainMove read_move(Row& row) {
    return BargainMove{row.integer(0) == 1, row.text(1), row.integer(2), row.text(3),
                       row.integer(4)};
}

}  // namespace

Result<std::optional<Bargain>> open_bargain(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, std::string_view works_id) {
    static const std::string kSql =
        kBargain.select("where agent_id = ? and peer_id = ? and works_id = ? and state = 'open'");
    return db.statement(kSql).first(kBargain, agent_id, peer_id, works_id);
}

Result<std::optional<Bargain>> find_bargain(Database& db, std::string_view mandate_id,
                                            std::string_view peer_id, std::string_view works_id) {
    static const std::string kSql =
        kBargain.select("where mandate_id = ? and peer_id = ? and works_id = ?");
    return db.statement(kSql).first(kBargain, mandate_id, peer_id, works_id);
}

Result<std::int64_t> count_unagreed_bargains(Database& db, std::string_view mandate_id,
                                             UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from bargain where mandate_id = ? and state <> 'agreed' "
        "and committed_at_ms > ?";
    return db.statement(kSql).number(mandate_id, since_ms);
}

Result<std::int64_t> insert_bargain(Database& db, const Bargain& bargain) {
    static constexpr auto kNew = sql::without<kBargain, &Bargain::id>();
    static const std::string kSql = kNew.insert();
    return db.statement(kSql).put_new(kNew, bargain);
}

Result<void> update_bargain(Database& db, const Bargain& bargain) {
    static constexpr auto kChange = sql::only<kBargain, &Bargain::state, &Bargain::committed_minor,
                                              &Bargain::committed_at_ms, &Bargain::close_at_ms>();
    static const std::string kSql = kChange.update("where id = ?");
    return db.statement(kSql).put(kChange, bargain, bargain.id);
}

Result<void> append_move(Database& db, std::int64_t bargain_id, const BargainMove& move) {
    static constexpr const char* kSql =
        "insert into bargain_move (bargain_id, number, is_ours, kind, amount_minor, "
        "message_id, at_ms) values (?1, 1 + (select coalesce(max(number), 0) from "
        "bargain_move where bargain_id = ?1), ?2, ?3, ?4, ?5, ?6)";
    return db.statement(kSql).run(bargain_id, move.is_ours, move.kind, move.amount_minor,
                                  move.message_id, move.at_ms);
}

Result<std::vector<BargainMove>> moves_of(Database& db, std::int64_t bargain_id) {
    static constexpr const char* kSql =
        "select is_ours, kind, amount_minor, message_id, at_ms from bargain_move "
        "where bargain_id = ? order by number";
    return db.statement(kSql).all(read_move, bargain_id);
}

Result<std::vector<std::string>> moves_heard(Database& db, std::string_view agent_id,
                                             std::string_view peer_id) {
    static constexpr const char* kSql =
        "select m.message_id from bargain n join bargain_move m on m.bargain_id = n.id "
        "where n.agent_id = ? and n.peer_id = ? and m.is_ours = 0";
    return db.statement(kSql).all(sql::kFirstText, agent_id, peer_id);
}

Result<UnixMs> last_bargain_agreed_ms(Database& db, std::string_view agent_id,
                                      std::string_view peer_id, std::string_view works_id) {
    static constexpr const char* kSql =
        "select coalesce(max(committed_at_ms), 0) from bargain where agent_id = ?1 "
        "and peer_id = ?2 and ?3 in ('', works_id) and state = 'agreed'";
    return db.statement(kSql).number(agent_id, peer_id, works_id);
}

Result<std::vector<Bargain>> silent_bargains(Database& db, UnixMs now_ms, int limit) {
    static const std::string kSql = kBargain.select(
        "where state = 'open' and close_at_ms > 0 and close_at_ms <= ? order by close_at_ms "
        "limit ?");
    return db.statement(kSql).all(kBargain, now_ms, limit);
}

Result<void> hand_over_bargains(Database& db, std::string_view agent_id, std::string_view peer_id,
                                std::string_view works_id) {
    static constexpr const char* kSql =
        "update bargain set state = 'handed_over', close_at_ms = 0 "
        "where agent_id = ?1 and peer_id = ?2 and ?3 in ('', works_id) and state = 'open'";
    return db.statement(kSql).run(agent_id, peer_id, works_id);
}

}  // namespace a2h::store
