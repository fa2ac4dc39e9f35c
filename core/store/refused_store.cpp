#include "core/store/refused_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kRefused = sql::table<RefusedMessage>(
    "refused_message",
    A2H_COLUMNS(RefusedMessage, agent_id, claimed_sender, detail, size_bytes, received_at_ms,
                digest),
    sql::column("number", &RefusedMessage::id),
    sql::column("reason", &RefusedMessage::reason, parse_refusal),
    sql::column("provenance", &RefusedMessage::provenance, parse_provenance));

/// Counts a refusal by its reason, and returns the number of all refusals of the agent.
Result<std::int64_t> count_refusal(Database& db, std::string_view agent_id, Refusal reason) {
    static constexpr const char* kCount =
        "insert into refused_count values (?1, ?2, 1) "
        "on conflict do update set count = count + 1";
    static constexpr const char* kTotal = "select sum(count) from refused_count where agent_id = ?";
    A2H_TRY(db.statement(kCount).run(agent_id, reason));
    return db.statement(kTotal).number(agent_id);
}

/// Whether the same message has come before, from a broker that delivers it twice or from somebody
/// who repeats it.
Result<bool> is_repetition(Database& db, const RefusedMessage& refused) {
    if (!refused.provenance || refused.digest.empty()) return false;
    return has_refused(db, refused.agent_id, refused.claimed_sender, refused.digest);
}

/// The limits are apart, so that nobody can push out what an authentic sender has sent.
Result<void> trim_refused(Database& db, const RefusedMessage& refused, std::int64_t number) {
    static constexpr const char* kTrim =
        "delete from refused_message where agent_id = ? and number <= ? "
        "and coalesce(provenance, 'unverified') not in ('verified', 'vouched')";
    static constexpr const char* kTrimOfSender =
        "delete from refused_message where agent_id = ?1 and number <= (select number "
        "from refused_message indexed by refused_sender where agent_id = ?1 "
        "and claimed_sender = ?2 and provenance in ('verified', 'vouched') "
        "order by number desc limit 1 offset ?3) "
        "and claimed_sender = ?2 and provenance in ('verified', 'vouched')";
    if (!refused.provenance || !is_authentic(*refused.provenance))
        return db.statement(kTrim).run(refused.agent_id, number - kRefusedRowsMax);
    return db.statement(kTrimOfSender)
        .run(refused.agent_id, refused.claimed_sender, kRefusedOfSenderMax);
}

}  // namespace

Result<void> insert_refused(Database& db, const RefusedMessage& refused) {
    static constexpr auto kNew = sql::without<kRefused, &RefusedMessage::id>();
    static const std::string kInsert = kNew.insert("", "number");
    A2H_ASSIGN_OR_RETURN(const auto number, count_refusal(db, refused.agent_id, refused.reason));
    A2H_ASSIGN_OR_RETURN(const bool is_repeated, is_repetition(db, refused));
    if (is_repeated) return {};
    A2H_TRY(db.statement(kInsert).put(kNew, refused, number));
    return trim_refused(db, refused, number);
}

Result<bool> has_refused(Database& db, std::string_view agent_id, std::string_view claimed_sender,
                         std::string_view digest) {
    static constexpr const char* kSql =
        "select exists (select 1 from refused_message indexed by refused_sender "
        "where agent_id = ? and claimed_sender = ? and provenance is not null and digest = ?)";
    return db.statement(kSql).is_true(agent_id, claimed_sender, digest);
}

Result<void> set_refused_provenance(Database& db, std::string_view agent_id,
                                    std::string_view claimed_sender, std::string_view digest,
                                    Provenance provenance, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update refused_message set provenance = ?4, received_at_ms = ?5 where agent_id = ?1 "
        "and claimed_sender = ?2 and provenance is not null and digest = ?3";
    return db.statement(kSql).run(agent_id, claimed_sender, digest, provenance, now_ms);
}

Result<std::vector<std::pair<std::string, std::int64_t>>> refused_by_reason(
    Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select reason, count from refused_count where agent_id = ? order by reason";
    return db.statement(kSql).all([](Row& row) { return std::pair(row.text(0), row.integer(1)); },
                                  agent_id);
}

}  // namespace a2h::store
