#include "market/store/session_store.h"

#include <algorithm>

namespace a2h::market::store {
namespace {

constexpr auto kSession = sql::table<Session>(
    "session",
    A2H_COLUMNS(Session, session_id, first_id, second_id, rfp_id, proposal_id, created_at_ms));

constexpr auto kSessionMessage = sql::table<SessionMessage>(
    "session_message",
    A2H_COLUMNS(SessionMessage, row_id, session_id, message_id, sender_id, type, payload_json,
                valid_until_ms, offer_id, answer, created_at_ms, payload_hash),
    sql::column("price_minor", &SessionMessage::price, &Money::minor),
    sql::column("currency", &SessionMessage::price, &Money::currency));

}  // namespace

Result<Session> add_session(db::Transaction& transaction, const Session& session) {
    static const std::string kInsert =
        kSession.insert("on conflict (first_id, second_id, rfp_id, proposal_id) do nothing");
    static const std::string kFind = kSession.select(
        "where first_id = $1 and second_id = $2 and rfp_id = $3 and proposal_id = $4");
    A2H_TRY(transaction.statement(kInsert).put(kSession, session));
    A2H_ASSIGN_OR_RETURN(auto present, transaction.statement(kFind).first(
                                           kSession, session.first_id, session.second_id,
                                           session.rfp_id, session.proposal_id));
    if (!present) return fail(ErrorCode::Internal, "database: the session was not stored");
    return std::move(*present);
}

Result<std::optional<Session>> find_session(db::Transaction& transaction,
                                            std::string_view session_id,
                                            std::string_view agent_id) {
    static const std::string kSql =
        kSession.select("where session_id = $1 and (first_id = $2 or second_id = $2)");
    return transaction.statement(kSql).first(kSession, session_id, agent_id);
}

Result<std::optional<Session>> session_of_proposal(db::Transaction& transaction,
                                                   std::string_view proposal_id) {
    static const std::string kSql = kSession.select("where proposal_id = $1 and proposal_id <> ''");
    return transaction.statement(kSql).first(kSession, proposal_id);
}

Result<std::optional<Session>> plain_session(db::Transaction& transaction,
                                             std::string_view agent_id, std::string_view other_id) {
    static const std::string kSql = kSession.select(
        "where first_id = $1 and second_id = $2 and rfp_id = '' and proposal_id = ''");
    return transaction.statement(kSql).first(kSession, std::min(agent_id, other_id),
                                             std::max(agent_id, other_id));
}

Result<std::optional<Session>> session_of_offer(db::Transaction& transaction,
                                                std::string_view agent_id,
                                                std::string_view other_id,
                                                std::string_view offer_id) {
    static const std::string kSql = kSession.select(
        "where first_id = $1 and second_id = $2 and session_id in (select m.session_id"
        " from session_message m where m.message_id = $3 and m.type = 'offer')"
        " order by created_at_ms desc, session_id limit 1");
    return transaction.statement(kSql).first(kSession, std::min(agent_id, other_id),
                                             std::max(agent_id, other_id), offer_id);
}

Result<std::vector<Session>> list_sessions(db::Transaction& transaction, std::string_view agent_id,
                                           std::int64_t offset, std::int64_t limit) {
    static const std::string kSql = kSession.select(
        "where first_id = $1 or second_id = $1 order by created_at_ms desc, session_id limit $2"
        " offset $3");
    return transaction.statement(kSql).all(kSession, agent_id, limit, offset);
}

Result<void> add_session_message(db::Transaction& transaction, const SessionMessage& message) {
    static constexpr auto kNew =
        sql::without<kSessionMessage, &SessionMessage::row_id, &SessionMessage::answer>();
    static const std::string kSql = kNew.insert("", "answer");
    return transaction.statement(kSql).put(kNew, message, "");
}

Result<std::optional<SessionMessage>> find_session_message(db::Transaction& transaction,
                                                           std::string_view session_id,
                                                           std::string_view message_id) {
    static const std::string kSql =
        kSessionMessage.select("where session_id = $1 and message_id = $2");
    return transaction.statement(kSql).first(kSessionMessage, session_id, message_id);
}

Result<std::optional<SessionMessage>> answer_to(db::Transaction& transaction,
                                                std::string_view session_id,
                                                std::string_view offer_id) {
    static const std::string kSql = kSessionMessage.select(
        "where session_id = $1 and type in ('accept', 'reject') and offer_id = $2");
    return transaction.statement(kSql).first(kSessionMessage, session_id, offer_id);
}

Result<std::vector<SessionMessage>> list_session_messages(db::Transaction& transaction,
                                                          const SessionQuery& query) {
    static const std::string kSql = kSessionMessage.select(
        "where session_id = $1 and ($2 = '' or type = $2) order by row_id desc limit $3 offset $4");
    return transaction.statement(kSql).all(kSessionMessage, query.session_id, query.type,
                                           query.limit, query.offset);
}

Result<std::int64_t> count_session_messages(db::Transaction& transaction,
                                            std::string_view session_id) {
    static constexpr std::string_view kSql =
        "select count(*) from session_message where session_id = $1";
    return transaction.statement(kSql).number(session_id);
}

Result<bool> answer_offer(db::Transaction& transaction, std::int64_t row_id,
                          std::string_view answer) {
    static constexpr std::string_view kSql =
        "update session_message set answer = $1 where row_id = $2 and type = 'offer'"
        " and answer = ''";
    return transaction.statement(kSql).changes_a_row(answer, row_id);
}

}  // namespace a2h::market::store
