#include "core/store/demand_store.h"

#include <utility>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kNegotiation = sql::table<Negotiation>(
    "negotiation",
    A2H_COLUMNS(Negotiation, negotiation_id, demand_id, agent_id, parent_negotiation_id, user_id,
                raw_input, understanding_json, revision, round, deadline_ms, shows_terms,
                response_seconds, feedback_seconds, reason, gaps_json, compromise_json,
                created_at_ms, updated_at_ms),
    sql::column("state", &Negotiation::state, parse_negotiation_state),
    sql::column("on_timeout", &Negotiation::on_timeout, parse_on_timeout),
    sql::column("outcome", &Negotiation::outcome, parse_negotiation_outcome));

constexpr auto kParty = sql::table<Party>(
    "party",
    A2H_COLUMNS(Party, negotiation_id, agent_id, place, display_name, reason, match_score, replaces,
                answer_by_ms, answered_at_ms, joined_round),
    sql::column("tags_json", &Party::tags), sql::column("state", &Party::state, parse_party_state),
    sql::column("decision", &Party::offer, &Offer::decision, parse_offer_decision),
    sql::filled(sql::column("contribution", &Party::offer, &Offer::contribution)),
    sql::filled(sql::column("conditions_json", &Party::offer, &Offer::conditions)),
    sql::filled(sql::column("reasoning", &Party::offer, &Offer::reasoning)),
    sql::filled(sql::column("decline_reason", &Party::offer, &Offer::decline_reason)),
    sql::filled(sql::column("confidence", &Party::offer, &Offer::confidence)),
    sql::column("price_minor", &Party::offer, &Offer::price, &Price::amount_minor),
    sql::filled(sql::column("price_currency", &Party::offer, &Offer::price, &Price::currency)));

constexpr auto kFeedback = sql::table<Feedback>(
    "feedback",
    A2H_COLUMNS(Feedback, negotiation_id, round, agent_id, is_presumed, reasoning,
                adjustment_request, at_ms),
    sql::column("type", &Feedback::type, parse_feedback_type),
    sql::column("wanted_minor", &Feedback::wanted_price, &Price::amount_minor),
    sql::filled(sql::column("wanted_currency", &Feedback::wanted_price, &Price::currency)));

constexpr auto kNegotiationEvent = sql::table<NegotiationEvent>(
    "negotiation_event",
    A2H_COLUMNS(NegotiationEvent, id, demand_id, event_type, payload_json, at_ms));

constexpr auto kStoredProposal =
    sql::table<StoredProposal>("proposal", A2H_COLUMNS(StoredProposal, version, proposal_json));

}  // namespace

Result<void> insert_negotiation(Database& db, const Negotiation& made) {
    static const std::string kSql = kNegotiation.insert();
    return db.statement(kSql).put(kNegotiation, made);
}

Result<std::optional<Negotiation>> get_negotiation(Database& db, std::string_view negotiation_id) {
    static const std::string kSql = kNegotiation.select("where negotiation_id = ?");
    return db.statement(kSql).first(kNegotiation, negotiation_id);
}

Result<std::optional<Negotiation>> find_negotiation(Database& db, std::string_view id) {
    static const std::string kSql = kNegotiation.select("where demand_id = ?");
    auto of_demand = db.statement(kSql).first(kNegotiation, id);
    const bool is_found = of_demand && *of_demand;
    return is_found || !of_demand ? std::move(of_demand) : get_negotiation(db, id);
}

Result<void> update_negotiation(Database& db, Negotiation& negotiation) {
    static constexpr auto kChange =
        sql::only<kNegotiation, &Negotiation::understanding_json, &Negotiation::state,
                  &Negotiation::round, &Negotiation::deadline_ms, &Negotiation::outcome,
                  &Negotiation::reason, &Negotiation::gaps_json, &Negotiation::compromise_json,
                  &Negotiation::updated_at_ms>();
    static const std::string kSql = kChange.update(
        ", revision = revision + 1 where negotiation_id = ? and revision = ? "
        "and state not in ('finalized', 'failed')");
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).puts_a_row(
                                                 kChange, negotiation, negotiation.negotiation_id,
                                                 negotiation.revision));
    if (!changed) {
        return fail(ErrorCode::Conflict, "negotiation " + negotiation.negotiation_id +
                                             " has changed or ended in the meantime");
    }
    ++negotiation.revision;
    return {};
}

Result<Page<Negotiation>> list_negotiations(Database& db, std::string_view agent_id,
                                            std::optional<NegotiationState> state,
                                            std::int64_t before, int limit) {
    static const std::string kSql = kNegotiation.select(
        "where (?1 = '' or agent_id = ?1) and (?2 = '' or state = ?2) "
        "and number < ?3 order by number desc limit ?4",
        "number");
    return page_of(
        db.statement(kSql).all(sql::with_number(kNegotiation), agent_id, sql::name_or_empty(state),
                               number_below(before), limit + 1),
        limit);
}

Result<std::vector<Negotiation>> negotiations_below(Database& db, std::string_view negotiation_id) {
    static const std::string kSql = kNegotiation.select(
        "where parent_negotiation_id = ? and parent_negotiation_id <> '' order by number");
    return db.statement(kSql).all(kNegotiation, negotiation_id);
}

Result<std::int64_t> live_negotiation_count(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from negotiation where state not in ('finalized', 'failed') and agent_id "
        "= ?";
    return db.statement(kSql).number(agent_id);
}

Result<std::vector<std::string>> live_negotiations(Database& db) {
    static constexpr const char* kSql =
        "select negotiation_id from negotiation where state not in ('finalized', 'failed') order "
        "by number";
    return db.statement(kSql).all(sql::kFirstText);
}

Result<void> insert_party(Database& db, const Party& made) {
    static const std::string kSql = kParty.insert();
    return db.statement(kSql).put(kParty, made);
}

Result<std::vector<Party>> parties_of(Database& db, std::string_view negotiation_id) {
    static const std::string kSql =
        kParty.select("where negotiation_id = ? order by place, agent_id");
    return db.statement(kSql).all(kParty, negotiation_id);
}

Result<std::optional<Party>> get_party(Database& db, std::string_view negotiation_id,
                                       std::string_view agent_id) {
    static const std::string kSql = kParty.select("where negotiation_id = ? and agent_id = ?");
    return db.statement(kSql).first(kParty, negotiation_id, agent_id);
}

Result<void> update_party(Database& db, const Party& changed) {
    static constexpr auto kState =
        sql::only<kParty, &Party::state, &Party::replaces, &Party::answer_by_ms>();
    static constexpr auto kAnswer =
        sql::only<kParty, &Party::offer, &Party::answered_at_ms, &Party::joined_round>();
    static const std::string kStateSql = kState.update("where negotiation_id = ? and agent_id = ?");
    static const std::string kAnswerSql =
        kAnswer.update("where negotiation_id = ? and agent_id = ?");
    A2H_TRY(db.statement(kStateSql).put(kState, changed, changed.negotiation_id, changed.agent_id));
    if (!changed.offer) return {};
    return db.statement(kAnswerSql).put(kAnswer, changed, changed.negotiation_id, changed.agent_id);
}

Result<void> insert_proposal(Database& db, std::string_view negotiation_id, int version,
                             std::string_view proposal_json) {
    static constexpr const char* kSql =
        "insert into proposal (negotiation_id, version, proposal_json) values (?, ?, ?)";
    return db.statement(kSql).run(negotiation_id, version, proposal_json);
}

Result<std::vector<StoredProposal>> proposals_of(Database& db, std::string_view negotiation_id) {
    static const std::string kSql =
        kStoredProposal.select("where negotiation_id = ? order by version");
    return db.statement(kSql).all(kStoredProposal, negotiation_id);
}

Result<std::string> proposal_of_round(Database& db, std::string_view negotiation_id, int version) {
    static constexpr const char* kSql =
        "select proposal_json from proposal where negotiation_id = ? and version = ?";
    A2H_ASSIGN_OR_RETURN(auto found,
                         db.statement(kSql).first(sql::kFirstText, negotiation_id, version));
    return std::move(found).value_or("");
}

Result<bool> insert_feedback(Database& db, const Feedback& made) {
    static const std::string kSql = kFeedback.insert("on conflict do nothing");
    return db.statement(kSql).puts_a_row(kFeedback, made);
}

Result<std::vector<Feedback>> feedback_of(Database& db, std::string_view negotiation_id,
                                          int round) {
    static const std::string kSql = kFeedback.select(
        "where negotiation_id = ?1 and (?2 = 0 or round = ?2) order by round, at_ms, agent_id");
    return db.statement(kSql).all(kFeedback, negotiation_id, round);
}

Result<std::vector<std::string>> answers_heard(Database& db, std::string_view agent_id,
                                               std::string_view peer_id,
                                               std::string_view negotiation_id,
                                               std::string_view rule_id) {
    static constexpr const char* kSql =
        "select i.message_id from inbox i indexed by inbox_history "
        "left join job t on t.inbox_id = i.id where i.agent_id = ?1 and i.sender_id = ?2 "
        "and i.source = 'peer' and i.provenance in ('verified', 'vouched') "
        "and i.message_type in ('offer_response', 'proposal_feedback') "
        "and (coalesce(json_extract(i.payload_json, '$.channel_id'), "
        "json_extract(i.payload_json, '$.channelId'), '') = ?3 and "
        "coalesce(t.state, 'pending') = 'pending' or t.rule_id = ?4 or exists (select 1 "
        "from inbox e indexed by inbox_repeat join job u on u.inbox_id = e.id "
        "where e.agent_id = ?1 and e.sender_id = ?2 and e.payload_key = i.payload_key "
        "and e.id < i.id and u.rule_id = ?4) or not exists (select 1 from "
        "json_each(i.payload_json) m "
        "where not (m.key in ('channel_id', 'channelId') and m.value = ?3) "
        "and not (m.key = 'agent_id' and m.value = i.sender_id) "
        "and not (m.key = 'round' and m.type = 'integer') "
        "and not (m.key = 'type' and m.value = i.message_type) "
        "and not (m.key = 'decision' and m.value in ('participate', 'decline', 'conditional')) "
        "and not (m.key = 'feedback_type' and m.value in ('accept', 'negotiate', 'withdraw'))))";
    return db.statement(kSql).all(sql::kFirstText, agent_id, peer_id, negotiation_id, rule_id);
}

Result<bool> has_undecided_answer(Database& db, std::string_view agent_id,
                                  std::string_view negotiation_id) {
    static constexpr const char* kSql =
        "select exists (select 1 from job t indexed by job_pending cross join inbox i "
        "on i.id = t.inbox_id where t.state = 'pending' and t.agent_id = ?1 "
        "and i.message_type in ('offer_response', 'proposal_feedback') "
        "and coalesce(json_extract(i.payload_json, '$.channel_id'), "
        "json_extract(i.payload_json, '$.channelId'), '') = ?2)";
    return db.statement(kSql).is_true(agent_id, negotiation_id);
}

Result<std::int64_t> insert_negotiation_event(Database& db, const NegotiationEvent& event) {
    static constexpr auto kNew = sql::without<kNegotiationEvent, &NegotiationEvent::id>();
    static const std::string kSql = kNew.insert();
    return db.statement(kSql).put_new(kNew, event);
}

Result<std::vector<NegotiationEvent>> negotiation_events(Database& db, std::string_view demand_id,
                                                         std::int64_t after_id, int limit) {
    static const std::string kSql =
        kNegotiationEvent.select("where demand_id = ? and id > ? order by id limit ?");
    return db.statement(kSql).all(kNegotiationEvent, demand_id, after_id, limit);
}

Result<std::int64_t> newest_negotiation_event(Database& db) {
    static constexpr const char* kSql = "select coalesce(max(id), 0) from negotiation_event";
    return db.statement(kSql).number();
}

Result<std::vector<NegotiationEvent>> all_negotiation_events(Database& db, std::int64_t after_id,
                                                             int limit) {
    static const std::string kSql = kNegotiationEvent.select("where id > ? order by id limit ?");
    return db.statement(kSql).all(kNegotiationEvent, after_id, limit);
}

Result<NegotiationCounts> negotiation_counts(Database& db) {
    static constexpr const char* kSql =
        "select count(*) filter (where state not in ('finalized', 'failed')), "
        "count(*) filter (where outcome = 'agreed'), count(*) filter (where outcome = 'partial'), "
        "count(*) filter (where outcome = 'failed'), "
        "count(*) filter (where outcome = 'cancelled') from negotiation";
    A2H_ASSIGN_OR_RETURN(auto found, db.statement(kSql).first([](Row& row) {
        return NegotiationCounts{row.integer(0), row.integer(1), row.integer(2), row.integer(3),
                                 row.integer(4)};
    }));
    return found.value_or(NegotiationCounts{});
}

}  // namespace a2h::store
