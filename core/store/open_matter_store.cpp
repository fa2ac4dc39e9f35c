#include "core/store/open_matter_store.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

std::string left_out(const Between& between) {
    return nlohmann::json(between.message_ids).dump();
}

#define A2H_IS_PEERS(row) \
    row ".provenance <> 'forged' and (?4 = 0 or " row ".provenance in ('verified', 'vouched')) "
/// The time of a refused message. It counts as later than a message of the same millisecond.
#define A2H_REFUSED_AT_MS "received_at_ms + 1"
#define A2H_IS_NOT_LEFT_OUT(row) row ".message_id not in (select value from json_each(?5)) "

Result<bool> has_question(Database& db, const Between& between) {
    static constexpr const char* kSql =
        "select exists (select 1 from approval a where a.status = 'pending' and a.agent_id = ?1 "
        "and a.peer_id = ?2 and a.id <> ?3 "
        "and (?4 = 0 or coalesce(a.provenance, '') in ('', 'verified', 'vouched')) "
        "and not exists (select 1 from inbox i where i.id = a.job_id "
        "and i.message_id in (select value from json_each(?5))))";
    A2H_ASSIGN_OR_RETURN(
        const auto found,
        db.statement(kSql).number(between.agent_id, between.peer_id, between.approval_id,
                                  between.for_mandate ? 1 : 0, left_out(between)));
    return found != 0;
}

Result<bool> has_talks(Database& db, const Between& between) {
    static constexpr const char* kSql =
        "select exists (select 1 from bargain where state = 'open' and agent_id = ?1 "
        "and peer_id = ?2 and id <> ?4) or exists (select 1 from invitation indexed by "
        "invitation_live where state not in ('ended') and agent_id = ?1 and requester_id = ?2 "
        "and negotiation_id <> ?3 and state in ('new', 'asked_to_join', 'reviewing', "
        "'asked_to_accept'))";
    A2H_ASSIGN_OR_RETURN(const auto found,
                         db.statement(kSql).number(between.agent_id, between.peer_id,
                                                   between.negotiation_id, between.bargain_id));
    return found != 0;
}

/// The time of the newest message that needs an answer whatever its words are: every message except
/// a text that a rule has answered from the listings or ignored, without members that could say
/// more. A repeated message counts like the first one.
Result<std::optional<UnixMs>> wants_answer_since(Database& db, const Between& between) {
    static constexpr const char* kSql =
        "select received_at_ms from (select i.id, i.received_at_ms, i.message_type, i.payload_key, "
        "i.payload_json, t.state, t.decision, t.rule_id from inbox i indexed by inbox_history "
        "join job t on t.inbox_id = i.id where i.agent_id = ?1 and i.sender_id = ?2 "
        "and i.source = 'peer' and i.provenance <> 'forged' "
        // Until it is decided, its sender may still prove to be authentic.
        "and (?4 = 0 or i.provenance in ('verified', 'vouched') or t.state = 'pending') "
        "and " A2H_IS_NOT_LEFT_OUT("i")
        "order by i.received_at_ms desc limit ?3) as said "
        "where (state <> 'done' or message_type <> 'chat.request' "
        "or exists (select 1 from json_each(said.payload_json) "
        "where not (key in ('text', 'worksId', 'orderId') and type = 'text') "
        "and not (key = 'type' and value in ('text', 'inquiry'))) "
        "or decision not in ('answer', 'silent') or (decision = 'silent' and "
        "case when rule_id = 'message.repeated' then exists (select 1 from inbox e "
        "indexed by inbox_repeat join job u on u.inbox_id = e.id where e.agent_id = ?1 "
        "and e.sender_id = ?2 and e.payload_key = said.payload_key and e.id < said.id "
        "and u.decision not in ('answer', 'silent')) "
        "else rule_id not in ('courtesy', 'courtesy.automatic', 'courtesy.closing', "
        "'courtesy.leaving', 'courtesy.repeated', 'message.holding', 'message.empty', "
        "'message.echo') end)) "
        "and not (?4 = 1 and ?6 <> '' and message_type <> 'chat.request' "
        "and rule_id = 'demand.invited' "
        "and coalesce(json_extract(payload_json, '$.channel_id'), '') = ?6) "
        "order by received_at_ms desc limit 1";
    return db.statement(kSql).first(sql::kFirstNumber, between.agent_id, between.peer_id,
                                    kOpenReadMax, between.for_mandate ? 1 : 0, left_out(between),
                                    between.negotiation_id);
}

/// The time of the newest message that nobody reads, because the peer had used its id before for
/// something else (R1) or it could not be accepted (R45).
Result<std::optional<UnixMs>> was_refused_since(Database& db, const Between& between) {
    static constexpr const char* kSql = "select max(" A2H_REFUSED_AT_MS
                                        ") from refused_message indexed by refused_sender "
                                        "where agent_id = ?1 and claimed_sender = ?2 "
                                        "and provenance is not null and provenance <> 'forged' "
                                        "and (?3 = 0 or provenance in ('verified', 'vouched')) "
                                        "having max(received_at_ms) is not null";
    return db.statement(kSql).first(sql::kFirstNumber, between.agent_id, between.peer_id,
                                    between.for_mandate ? 1 : 0);
}

}  // namespace

Result<bool> is_asked_or_in_talks(Database& db, const Between& between) {
    const auto asked = has_question(db, between);
    return !asked || *asked ? asked : has_talks(db, between);
}

Result<bool> was_released_since(Database& db, std::string_view agent_id, std::string_view peer_id,
                                UnixMs since_ms, Yes yes) {
    static constexpr const char* kSql =
        "select exists (select 1 from outbox o indexed by outbox_history "
        "join approval a on a.id = substr(o.cause, 10) where o.agent_id = ?1 and o.target_id = ?2 "
        "and a.created_at_ms >= ?3 and o.cause glob 'approval:*' and not "
        "(coalesce(a.surface, '') = 'mandate' "
        "and coalesce(json_extract(o.payload_json, '$.type'), '') = 'offer') "
        "and (?4 = 0 or coalesce(a.job_id, 0) = 0))";
    return db.statement(kSql).is_true(agent_id, peer_id, since_ms, yes == Yes::ToText ? 1 : 0);
}

Result<bool> has_open_message(Database& db, const Between& between,
                              std::optional<UnixMs> open_since) {
    A2H_ASSIGN_OR_RETURN(const auto said, wants_answer_since(db, between));
    A2H_ASSIGN_OR_RETURN(const auto refused, was_refused_since(db, between));
    const auto is_left = [&](const std::optional<UnixMs>& since, Yes yes) -> Result<bool> {
        if (!since) return false;
        A2H_ASSIGN_OR_RETURN(const auto released, was_released_since(db, between.agent_id,
                                                                     between.peer_id, *since, yes));
        return !released;
    };
    A2H_ASSIGN_OR_RETURN(const auto is_said, is_left(said, Yes::ToAnything));
    if (is_said) return true;
    return is_left(std::max(open_since, refused), Yes::ToText);
}

Result<LastRelease> last_release(Database& db, std::string_view agent_id,
                                 std::string_view peer_id) {
    static constexpr const char* kSql =
        "select coalesce(max(a.created_at_ms), 0), "
        "coalesce(max(case when coalesce(a.job_id, 0) = 0 then a.created_at_ms end), 0) "
        "from outbox o indexed by outbox_history join approval a on a.id = substr(o.cause, 10) "
        "where o.agent_id = ?1 and o.target_id = ?2 and o.cause glob 'approval:*' "
        "and coalesce(a.surface, '') <> 'mandate'";
    A2H_ASSIGN_OR_RETURN(const auto found,
                         db.statement(kSql).first(
                             [](Row& row) {
                                 return LastRelease{row.integer(0), row.integer(1)};
                             },
                             agent_id, peer_id));
    return found.value_or(LastRelease());
}

Result<std::vector<Said>> said_after(Database& db, std::string_view agent_id,
                                     std::string_view peer_id, const SaidAfter& after, int max) {
    static constexpr const char* kSql =
        "select * from (select 0, i.received_at_ms, i.id, i.message_id, i.message_type, "
        "i.trace_id, "
        "i.provenance, coalesce(t.decision, ''), i.message_type = 'chat.request', "
        "coalesce(t.rule_id, '') in ('message.holding', 'message.empty'), i.payload_json "
        "from inbox i indexed by inbox_history left join job t on t.inbox_id = i.id "
        "where i.agent_id = ?1 and i.sender_id = ?2 and i.source = 'peer' "
        "and i.provenance <> 'forged' and i.id > ?4 "
        "and i.received_at_ms > ?7 order by i.received_at_ms desc limit ?3) "
        "union all select * from (select 2, seen_at_ms, 0, thing, '', '', '', '', 0, 0, shown "
        "from seen_offer indexed by seen_offer_peer where agent_id = ?1 "
        "and (peer_id = ?2 or (?6 = 1 and peer_id = '')) and seen_at_ms > ?5 "
        "and seen_at_ms > ?8 order by seen_at_ms desc limit ?3) "
        "union all select * from (select 3, max(" A2H_REFUSED_AT_MS
        "), 0, reason, '', '', provenance, "
        "'', 0, 0, '' from refused_message indexed by refused_sender where agent_id = ?1 "
        "and claimed_sender = ?2 and provenance is not null and provenance <> 'forged' "
        "and " A2H_REFUSED_AT_MS " > ?5 and " A2H_REFUSED_AT_MS
        " > ?8 group by reason = 'conflicting_duplicate', provenance)";
    LastRelease released;
    if (after.since_release) {
        A2H_ASSIGN_OR_RETURN(released, last_release(db, agent_id, peer_id));
    }
    return db.statement(kSql).all(
        [](Row& row) {
            return Said{static_cast<Said::From>(row.integer(0)),
                        row.integer(1),
                        row.integer(2),
                        row.text(3),
                        row.text(4),
                        row.text(5),
                        row.text(6),
                        row.text(7),
                        row.integer(8) != 0,
                        row.integer(9) != 0,
                        row.text(10)};
        },
        agent_id, peer_id, max, after.inbox_id, after.read_ms, after.since_release ? 1 : 0,
        released.any_ms, released.text_ms);
}

Result<UnixMs> newest_read_ms(Database& db) {
    static constexpr const char* kSql =
        "select max(coalesce((select max(seen_at_ms) from seen_offer), 0), coalesce((select "
        "max(" A2H_REFUSED_AT_MS ") from refused_message where provenance is not null), 0))";
    return db.statement(kSql).number();
}

Result<std::vector<Heard>> heard_since_release(Database& db, const Between& between) {
    static constexpr const char* kSql =
        "select i.message_id, i.trace_id, i.payload_json, t.decision = 'answer' or exists "
        "(select 1 from inbox e indexed by inbox_repeat join job u on u.inbox_id = e.id "
        "where t.rule_id = 'message.repeated' and e.agent_id = ?1 and e.sender_id = ?2 "
        "and e.payload_key = i.payload_key and e.id < i.id and u.decision = 'answer'), "
        "t.rule_id in ('message.holding', 'message.empty') "
        "from inbox i indexed by inbox_history join job t on t.inbox_id = i.id "
        "where i.agent_id = ?1 and i.sender_id = ?2 and i.source = 'peer' "
        "and " A2H_IS_PEERS("i") "and " A2H_IS_NOT_LEFT_OUT("i") "and t.state = 'done' "
        "and t.decision in ('answer', 'silent') "
        "and i.received_at_ms > coalesce((select max(a.created_at_ms) from outbox o "
        "indexed by outbox_history join approval a on a.id = substr(o.cause, 10) "
        "where o.agent_id = ?1 and o.target_id = ?2 and o.cause glob 'approval:*' and not "
        "(coalesce(a.surface, '') = 'mandate' "
        "and coalesce(json_extract(o.payload_json, '$.type'), '') = 'offer')), 0) "
        "order by i.received_at_ms desc limit ?3";
    return db.statement(kSql).all(
        [](Row& row) {
            return Heard{row.text(0), row.text(1), row.text(2), row.integer(3) != 0,
                         row.integer(4) != 0};
        },
        between.agent_id, between.peer_id, kOpenReadMax, between.for_mandate ? 1 : 0,
        left_out(between));
}

Result<std::vector<std::string>> agents_that_heard(Database& db, std::string_view peer_id,
                                                   std::int64_t after_inbox_id) {
    // Steps from one agent to the next in the index, whatever the number of their messages.
    static constexpr const char* kSql =
        "with recursive agent(id) as (select min(agent_id) from inbox union all "
        "select (select min(agent_id) from inbox where agent_id > agent.id) from agent "
        "where agent.id is not null) select id from agent where id is not null and (exists "
        "(select 1 from inbox i indexed by inbox_history where i.agent_id = agent.id "
        "and i.sender_id = ?1 and i.id > ?3) or exists "
        "(select 1 from (select payload_json from inbox indexed by inbox_platform "
        "where agent_id = agent.id and source = 'platform' and id > ?3 "
        "order by id desc limit ?2) as news where instr(payload_json, json_quote(?1)) > 0)) "
        "union select agent_id from seen_offer where peer_id in (?1, '') "
        "union select agent_id from refused_message where claimed_sender = ?1 "
        "and provenance is not null";
    return db.statement(kSql).all(sql::kFirstText, peer_id, kOpenReadMax, after_inbox_id);
}

}  // namespace a2h::store
