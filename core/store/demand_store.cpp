#include "core/store/demand_store.h"

#include <utility>

#include "core/store/json_list.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_CHANNEL_COLUMNS                                                              \
    "channel_id, demand_id, agent_id, parent_channel_id, user_id, raw_input, "           \
    "understanding_json, state, revision, round, deadline_ms, on_timeout, shows_terms, " \
    "response_seconds, feedback_seconds, outcome, reason, gaps_json, compromise_json, "  \
    "created_at_ms, updated_at_ms"

#define A2H_PARTY_COLUMNS                                                                \
    "channel_id, agent_id, place, display_name, tags_json, reason, match_score, state, " \
    "replaces, answer_by_ms, decision, contribution, conditions_json, reasoning, "       \
    "decline_reason, confidence, price_minor, price_currency, answered_at_ms, joined_round"

Channel read_channel(Row& row) {
    Channel found;
    found.channel_id = row.text(0);
    found.demand_id = row.text(1);
    found.agent_id = row.text(2);
    found.parent_channel_id = row.text(3);
    found.user_id = row.text(4);
    found.raw_input = row.text(5);
    found.understanding_json = row.text(6);
    found.state = row.name(7, parse_channel_state);
    found.revision = row.integer(8);
    found.round = row.small(9);
    found.deadline_ms = row.integer(10);
    found.on_timeout = row.name(11, parse_on_timeout);
    found.shows_terms = row.integer(12) != 0;
    found.response_seconds = row.small(13);
    found.feedback_seconds = row.small(14);
    found.outcome = row.name(15, parse_channel_outcome);
    found.reason = row.text(16);
    found.gaps_json = row.text(17);
    found.compromise_json = row.text(18);
    found.created_at_ms = row.integer(19);
    found.updated_at_ms = row.integer(20);
    return found;
}

std::optional<Price> read_price(Row& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return Price{row.integer(column), row.text(column + 1)};
}
std::optional<std::int64_t> amount_of(const std::optional<Price>& price) {
    return price ? std::optional(price->amount_minor) : std::nullopt;
}
std::string_view currency_of(const std::optional<Price>& price) {
    return price ? std::string_view(price->currency) : std::string_view();
}

Party read_party(Row& row) {
    Party found;
    found.channel_id = row.text(0);
    found.agent_id = row.text(1);
    found.place = row.small(2);
    found.display_name = row.text(3);
    found.tags = parse_json_list(row.text(4));
    found.reason = row.text(5);
    found.match_score = row.small(6);
    found.state = row.name(7, parse_party_state);
    found.replaces = row.text(8);
    found.answer_by_ms = row.integer(9);
    if (!row.is_null(10)) {
        Offer offer;
        offer.decision = row.name(10, parse_offer_decision);
        offer.contribution = row.text(11);
        offer.conditions = parse_json_list(row.text(12));
        offer.reasoning = row.text(13);
        offer.decline_reason = row.text(14);
        offer.confidence = row.small(15);
        offer.price = read_price(row, 16);
        found.offer = std::move(offer);
    }
    found.answered_at_ms = row.integer(18);
    found.joined_round = row.small(19);
    return found;
}

Feedback read_feedback(Row& row) {
    Feedback found;
    found.channel_id = row.text(0);
    found.round = row.small(1);
    found.agent_id = row.text(2);
    found.type = row.name(3, parse_feedback_type);
    found.is_presumed = row.integer(4) != 0;
    found.reasoning = row.text(5);
    found.adjustment_request = row.text(6);
    found.wanted_price = read_price(row, 7);
    found.at_ms = row.integer(9);
    return found;
}

NegotiationEvent read_negotiation_event(Row& row) {
    return {row.integer(0), row.text(1), row.text(2), row.text(3), row.integer(4)};
}

std::string channel_id_column(Row& row) {
    return row.text(0);
}

}  // namespace

Result<void> insert_channel(Database& db, const Channel& made) {
    static constexpr const char* kSql =
        "insert into channel (" A2H_CHANNEL_COLUMNS
        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    return db.statement(kSql).run(
        made.channel_id, made.demand_id, made.agent_id, made.parent_channel_id, made.user_id,
        made.raw_input, made.understanding_json, to_string(made.state), made.revision, made.round,
        made.deadline_ms, to_string(made.on_timeout), made.shows_terms ? 1 : 0,
        made.response_seconds, made.feedback_seconds, to_string(made.outcome), made.reason,
        made.gaps_json, made.compromise_json, made.created_at_ms, made.updated_at_ms);
}

Result<std::optional<Channel>> get_channel(Database& db, std::string_view channel_id) {
    static constexpr const char* kSql =
        "select " A2H_CHANNEL_COLUMNS " from channel where channel_id = ?";
    return db.statement(kSql).first(read_channel, channel_id);
}

Result<std::optional<Channel>> find_channel(Database& db, std::string_view id) {
    static constexpr const char* kSql =
        "select " A2H_CHANNEL_COLUMNS " from channel where demand_id = ?";
    auto of_demand = db.statement(kSql).first(read_channel, id);
    const bool is_found = of_demand && *of_demand;
    return is_found || !of_demand ? std::move(of_demand) : get_channel(db, id);
}

Result<void> update_channel(Database& db, Channel& channel) {
    static constexpr const char* kSql =
        "update channel set understanding_json = ?, state = ?, revision = revision + 1, round = ?, "
        "deadline_ms = ?, outcome = ?, reason = ?, gaps_json = ?, compromise_json = ?, "
        "updated_at_ms = ? where channel_id = ? and revision = ? "
        "and state not in ('finalized', 'failed')";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(channel.understanding_json, to_string(channel.state), channel.round,
                       channel.deadline_ms, to_string(channel.outcome), channel.reason,
                       channel.gaps_json, channel.compromise_json, channel.updated_at_ms,
                       channel.channel_id, channel.revision));
    if (update.changes() != 1) {
        return fail(ErrorCode::Conflict,
                    "channel " + channel.channel_id + " has changed meanwhile, or has ended");
    }
    ++channel.revision;
    return {};
}

Result<Page<Channel>> list_channels(Database& db, std::string_view agent_id,
                                    std::optional<ChannelState> state, std::int64_t before,
                                    int limit) {
    static constexpr const char* kSql =
        "select " A2H_CHANNEL_COLUMNS
        ", number from channel where (?1 = '' or agent_id = ?1) and (?2 = '' or state = ?2) "
        "and number < ?3 order by number desc limit ?4";
    constexpr int kNumberColumn = 21;
    return page_of(
        db.statement(kSql).all(
            [](Row& row) { return std::pair(read_channel(row), row.integer(kNumberColumn)); },
            agent_id, state ? to_string(*state) : std::string_view(), number_below(before),
            limit + 1),
        limit);
}

Result<std::vector<Channel>> channels_below(Database& db, std::string_view channel_id) {
    static constexpr const char* kSql =
        "select " A2H_CHANNEL_COLUMNS
        " from channel where parent_channel_id = ? and parent_channel_id <> '' order by number";
    return db.statement(kSql).all(read_channel, channel_id);
}

Result<std::int64_t> live_channel_count(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from channel where state not in ('finalized', 'failed') and agent_id = ?";
    return db.statement(kSql).number(agent_id);
}

Result<std::vector<std::string>> live_channels(Database& db) {
    static constexpr const char* kSql =
        "select channel_id from channel where state not in ('finalized', 'failed') order by number";
    return db.statement(kSql).all(channel_id_column);
}

Result<void> insert_party(Database& db, const Party& made) {
    static constexpr const char* kSql =
        "insert into party (" A2H_PARTY_COLUMNS
        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, '', '', '', '', 0, null, '', 0, 0)";
    return db.statement(kSql).run(made.channel_id, made.agent_id, made.place, made.display_name,
                                  to_json_list(made.tags), made.reason, made.match_score,
                                  to_string(made.state), made.replaces, made.answer_by_ms);
}

Result<std::vector<Party>> parties_of(Database& db, std::string_view channel_id) {
    static constexpr const char* kSql =
        "select " A2H_PARTY_COLUMNS " from party where channel_id = ? order by place, agent_id";
    return db.statement(kSql).all(read_party, channel_id);
}

Result<std::optional<Party>> get_party(Database& db, std::string_view channel_id,
                                       std::string_view agent_id) {
    static constexpr const char* kSql =
        "select " A2H_PARTY_COLUMNS " from party where channel_id = ? and agent_id = ?";
    return db.statement(kSql).first(read_party, channel_id, agent_id);
}

Result<void> update_party(Database& db, const Party& changed) {
    static constexpr const char* kStateSql =
        "update party set state = ?, replaces = ?, answer_by_ms = ? "
        "where channel_id = ? and agent_id = ?";
    static constexpr const char* kOfferSql =
        "update party set decision = ?, contribution = ?, conditions_json = ?, reasoning = ?, "
        "decline_reason = ?, confidence = ?, price_minor = ?, price_currency = ?, "
        "answered_at_ms = ?, joined_round = ? where channel_id = ? and agent_id = ?";
    A2H_TRY(db.statement(kStateSql).run(to_string(changed.state), changed.replaces,
                                        changed.answer_by_ms, changed.channel_id,
                                        changed.agent_id));
    if (!changed.offer) return {};
    const Offer& offer = *changed.offer;
    return db.statement(kOfferSql).run(
        to_string(offer.decision), offer.contribution, to_json_list(offer.conditions),
        offer.reasoning, offer.decline_reason, offer.confidence, amount_of(offer.price),
        currency_of(offer.price), changed.answered_at_ms, changed.joined_round, changed.channel_id,
        changed.agent_id);
}

Result<void> insert_proposal(Database& db, std::string_view channel_id, int version,
                             std::string_view proposal_json) {
    static constexpr const char* kSql =
        "insert into proposal (channel_id, version, proposal_json) values (?, ?, ?)";
    return db.statement(kSql).run(channel_id, version, proposal_json);
}

Result<std::vector<StoredProposal>> proposals_of(Database& db, std::string_view channel_id) {
    static constexpr const char* kSql =
        "select version, proposal_json from proposal where channel_id = ? order by version";
    return db.statement(kSql).all(
        [](Row& row) {
            return StoredProposal{row.small(0), row.text(1)};
        },
        channel_id);
}

Result<std::string> proposal_of_round(Database& db, std::string_view channel_id, int version) {
    static constexpr const char* kSql =
        "select proposal_json from proposal where channel_id = ? and version = ?";
    auto found =
        db.statement(kSql).first([](Row& row) { return row.text(0); }, channel_id, version);
    if (!found) return fail(found.error());
    return found->value_or(std::string());
}

Result<bool> insert_feedback(Database& db, const Feedback& made) {
    static constexpr const char* kSql =
        "insert into feedback (channel_id, round, agent_id, type, is_presumed, reasoning, "
        "adjustment_request, wanted_minor, wanted_currency, at_ms) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(made.channel_id, made.round, made.agent_id, to_string(made.type),
                       made.is_presumed ? 1 : 0, made.reasoning, made.adjustment_request,
                       amount_of(made.wanted_price), currency_of(made.wanted_price), made.at_ms));
    return insert.changes() == 1;
}

Result<std::vector<Feedback>> feedback_of(Database& db, std::string_view channel_id, int round) {
    static constexpr const char* kSql =
        "select channel_id, round, agent_id, type, is_presumed, reasoning, adjustment_request, "
        "wanted_minor, wanted_currency, at_ms from feedback "
        "where channel_id = ?1 and (?2 = 0 or round = ?2) order by round, at_ms, agent_id";
    return db.statement(kSql).all(read_feedback, channel_id, round);
}

Result<std::int64_t> insert_negotiation_event(Database& db, const NegotiationEvent& event) {
    static constexpr const char* kSql =
        "insert into negotiation_event (demand_id, event_type, payload_json, at_ms) "
        "values (?, ?, ?, ?)";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(event.demand_id, event.event_type, event.payload_json, event.at_ms));
    return insert.last_id();
}

Result<std::vector<NegotiationEvent>> negotiation_events(Database& db, std::string_view demand_id,
                                                         std::int64_t after_id, int limit) {
    static constexpr const char* kSql =
        "select id, demand_id, event_type, payload_json, at_ms from negotiation_event "
        "where demand_id = ? and id > ? order by id limit ?";
    return db.statement(kSql).all(read_negotiation_event, demand_id, after_id, limit);
}

Result<std::int64_t> newest_negotiation_event(Database& db) {
    static constexpr const char* kSql = "select coalesce(max(id), 0) from negotiation_event";
    const auto id = db.statement(kSql).first([](Row& row) { return row.integer(0); });
    if (!id) return fail(id.error());
    return id->value_or(0);
}

Result<std::vector<NegotiationEvent>> all_negotiation_events(Database& db, std::int64_t after_id,
                                                             int limit) {
    static constexpr const char* kSql =
        "select id, demand_id, event_type, payload_json, at_ms from negotiation_event "
        "where id > ? order by id limit ?";
    return db.statement(kSql).all(read_negotiation_event, after_id, limit);
}

Result<ChannelCounts> channel_counts(Database& db) {
    static constexpr const char* kSql =
        "select count(*) filter (where state not in ('finalized', 'failed')), "
        "count(*) filter (where outcome = 'agreed'), count(*) filter (where outcome = 'partial'), "
        "count(*) filter (where outcome = 'failed'), "
        "count(*) filter (where outcome = 'cancelled') from channel";
    auto found = db.statement(kSql).first([](Row& row) {
        return ChannelCounts{row.integer(0), row.integer(1), row.integer(2), row.integer(3),
                             row.integer(4)};
    });
    if (!found) return fail(found.error());
    return found->value_or(ChannelCounts{});
}

}  // namespace a2h::store
