#include "core/store/deal_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kDeal = sql::table<Deal>(
    "deal",
    A2H_COLUMNS(Deal, id, agent_id, peer_id, version, sureness, is_stale, newest_sent_ms,
                earlier_market_deals, created_at_ms, updated_at_ms),
    sql::column("subject_kind", &Deal::subject, &DealSubject::kind),
    sql::column("subject_id", &Deal::subject, &DealSubject::id),
    sql::column("phase", &Deal::phase, parse_deal_phase),
    sql::column("ended", &Deal::ended, parse_deal_phase),
    sql::column("our_message_id", &Deal::ours, &StandingOffer::message_id),
    sql::column("our_price_minor", &Deal::ours, &StandingOffer::terms, &Terms::price,
                &Money::minor),
    sql::column("our_currency", &Deal::ours, &StandingOffer::terms, &Terms::price,
                &Money::currency),
    sql::column("our_conditions", &Deal::ours, &StandingOffer::terms, &Terms::conditions),
    sql::column("our_payload_hash", &Deal::ours, &StandingOffer::payload_hash),
    sql::column("our_valid_until_ms", &Deal::ours, &StandingOffer::valid_until_ms),
    sql::column("our_made_at_ms", &Deal::ours, &StandingOffer::made_at_ms),
    sql::column("their_message_id", &Deal::theirs, &StandingOffer::message_id),
    sql::column("their_price_minor", &Deal::theirs, &StandingOffer::terms, &Terms::price,
                &Money::minor),
    sql::column("their_currency", &Deal::theirs, &StandingOffer::terms, &Terms::price,
                &Money::currency),
    sql::column("their_conditions", &Deal::theirs, &StandingOffer::terms, &Terms::conditions),
    sql::column("their_payload_hash", &Deal::theirs, &StandingOffer::payload_hash),
    sql::column("their_valid_until_ms", &Deal::theirs, &StandingOffer::valid_until_ms),
    sql::column("their_made_at_ms", &Deal::theirs, &StandingOffer::made_at_ms),
    sql::column("open_message_id", &Deal::open_at_market, &StandingOffer::message_id),
    sql::column("open_price_minor", &Deal::open_at_market, &StandingOffer::terms, &Terms::price,
                &Money::minor),
    sql::column("open_currency", &Deal::open_at_market, &StandingOffer::terms, &Terms::price,
                &Money::currency),
    sql::column("open_conditions", &Deal::open_at_market, &StandingOffer::terms,
                &Terms::conditions),
    sql::column("open_payload_hash", &Deal::open_at_market, &StandingOffer::payload_hash),
    sql::column("open_valid_until_ms", &Deal::open_at_market, &StandingOffer::valid_until_ms),
    sql::column("open_made_at_ms", &Deal::open_at_market, &StandingOffer::made_at_ms),
    sql::column("agreed_accept_id", &Deal::agreed, &Agreement::accept_message_id),
    sql::column("agreed_offer_id", &Deal::agreed, &Agreement::offer_message_id),
    sql::column("agreed_market_deal_id", &Deal::agreed, &Agreement::market_deal_id),
    sql::column("agreed_offered_by", &Deal::agreed, &Agreement::offered_by, parse_act_by),
    sql::column("agreed_price_minor", &Deal::agreed, &Agreement::terms, &Terms::price,
                &Money::minor),
    sql::column("agreed_currency", &Deal::agreed, &Agreement::terms, &Terms::price,
                &Money::currency),
    sql::column("agreed_conditions", &Deal::agreed, &Agreement::terms, &Terms::conditions),
    sql::column("agreed_at_ms", &Deal::agreed, &Agreement::agreed_at_ms),
    sql::column("agreed_taken_back", &Deal::agreed, &Agreement::was_taken_back),
    sql::column("order_id", &Deal::order, &DealOrder::order_id),
    sql::column("order_state", &Deal::order, &DealOrder::state, parse_order_state),
    sql::column("order_delivered", &Deal::order, &DealOrder::is_delivered));

constexpr auto kAct = sql::table<Act>(
    "deal_act",
    A2H_COLUMNS(Act, source, message_id, payload_hash, offer_message_id, offer_payload_hash,
                replaces_message_id, market_deal_id, valid_until_ms, at_ms, sent_at_ms, sureness),
    sql::column("offered_by", &Act::offered_by, parse_act_by),
    sql::column("outbox_id", &Act::outbox_id, sql::NullIfZero{}),
    sql::column("kind", &Act::kind, parse_act_kind), sql::column("made_by", &Act::by, parse_act_by),
    sql::column("price_minor", &Act::terms, &Terms::price, &Money::minor),
    sql::column("currency", &Act::terms, &Terms::price, &Money::currency),
    sql::column("conditions", &Act::terms, &Terms::conditions),
    sql::column("order_id", &Act::order, &DealOrder::order_id),
    sql::column("order_state", &Act::order, &DealOrder::state, parse_order_state),
    sql::column("order_delivered", &Act::order, &DealOrder::is_delivered));

}  // namespace

Result<void> insert_deal(Database& db, const Deal& deal) {
    static const std::string kSql = kDeal.insert({}, "is_over");
    return db.statement(kSql).put(kDeal, deal, is_over(deal));
}

Result<void> update_deal(Database& db, const Deal& deal) {
    static constexpr auto kChange =
        sql::without<kDeal, &Deal::id, &Deal::agent_id, &Deal::peer_id, &Deal::created_at_ms>();
    static const std::string kSql = kChange.update(", is_over = ? where id = ?");
    return db.statement(kSql).put(kChange, deal, is_over(deal), deal.id);
}

Result<std::optional<Deal>> get_deal(Database& db, std::string_view id) {
    static const std::string kSql = kDeal.select("where id = ?");
    return db.statement(kSql).first(kDeal, id);
}

Result<std::optional<Deal>> find_deal(Database& db, std::string_view agent_id,
                                      std::string_view peer_id, const DealSubject& subject) {
    static const std::string kSql = kDeal.select(
        "where agent_id = ? and peer_id = ? and subject_kind = ? and subject_id = ? "
        "and is_over = 0");
    return db.statement(kSql).first(kDeal, agent_id, peer_id, subject.kind, subject.id);
}

Result<std::optional<Deal>> deal_of_order(Database& db, std::string_view agent_id,
                                          std::string_view peer_id, std::string_view order_id) {
    static const std::string kSql = kDeal.select(
        "where agent_id = ? and order_id = ? and peer_id = ? order by created_at_ms desc limit 1");
    return db.statement(kSql).first(kDeal, agent_id, order_id, peer_id);
}

Result<std::optional<Deal>> deal_of_message(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, std::string_view message_id) {
    static const std::string kSql = kDeal.select(
        "where agent_id = ?1 and peer_id = ?2 and exists (select 1 from deal_act a "
        "where a.deal_id = deal.id and a.message_id = ?3) order by updated_at_ms desc limit 1");
    return db.statement(kSql).first(kDeal, agent_id, peer_id, message_id);
}

Result<std::vector<Deal>> open_deals(Database& db, std::string_view agent_id,
                                     std::string_view peer_id, int limit) {
    static const std::string kSql = kDeal.select(
        "where agent_id = ? and peer_id = ? and is_over = 0 order by updated_at_ms desc limit ?");
    return db.statement(kSql).all(kDeal, agent_id, peer_id, limit);
}

Result<DealPage> list_deals(Database& db, const DealFilter& filter) {
    static const std::string kSql = kDeal.select(
        "where agent_id = ?1 and (?2 = '' or peer_id = ?2) and (?3 = 0 or (is_over = 0 "
        "and (is_stale or phase not in ('declined', 'withdrawn', 'lapsed')))) "
        "order by updated_at_ms desc, id limit ?4 offset ?5");
    const int size = filter.page_size;
    DealPage page;
    A2H_ASSIGN_OR_RETURN(
        page.deals, db.statement(kSql).all(kDeal, filter.agent_id, filter.peer_id, filter.only_live,
                                           size + 1, (filter.page - 1) * size));
    page.has_more = page.deals.size() > static_cast<std::size_t>(size);
    if (page.has_more) page.deals.pop_back();
    return page;
}

Result<bool> insert_act(Database& db, std::string_view deal_id, const Act& act) {
    static const std::string kSql = kAct.insert("on conflict do nothing", "deal_id");
    return db.statement(kSql).puts_a_row(kAct, act, deal_id);
}

Result<std::vector<Act>> acts_of_deal(Database& db, std::string_view deal_id, int limit) {
    static const std::string kSql =
        "select " + kAct.names() + " from (" +
        kAct.select("where deal_id = ? and is_void = 0 order by number desc limit ?", "number") +
        ") order by number";
    return db.statement(kSql).all(kAct, deal_id, limit);
}

Result<std::optional<Act>> act_of_message(Database& db, std::string_view deal_id, ActKind kind,
                                          std::string_view message_id) {
    static const std::string kSql = kAct.select(
        "where deal_id = ? and kind = ? and message_id = ? order by number desc limit 1");
    return db.statement(kSql).first(kAct, deal_id, to_string(kind), message_id);
}

}  // namespace a2h::store
