#include "core/store/invitation_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kInvitation = sql::table<Invitation>(
    "invitation",
    A2H_COLUMNS(Invitation, agent_id, negotiation_id, requester_id, demand_id, demand_json,
                filter_reason, answer_by_ms, offer_json, round, proposal_json, approval_id,
                mandate_id, outcome, is_bound, created_at_ms, updated_at_ms, thought_job_id,
                besides_json),
    sql::column("state", &Invitation::state, parse_invitation_state),
    sql::unless_empty(sql::column("feedback_type", &Invitation::feedback, parse_feedback_type)));

}  // namespace

Result<bool> insert_invitation(Database& db, const Invitation& made) {
    static const std::string kSql = kInvitation.insert("on conflict do nothing");
    return db.statement(kSql).puts_a_row(kInvitation, made);
}

Result<std::optional<Invitation>> get_invitation(Database& db, std::string_view agent_id,
                                                 std::string_view requester_id,
                                                 std::string_view negotiation_id) {
    static const std::string kSql =
        kInvitation.select("where agent_id = ? and requester_id = ? and negotiation_id = ?");
    return db.statement(kSql).first(kInvitation, agent_id, requester_id, negotiation_id);
}

Result<std::optional<Invitation>> find_invitation(Database& db, std::string_view agent_id,
                                                  std::string_view negotiation_id) {
    static const std::string kSql =
        kInvitation.select("where agent_id = ? and negotiation_id = ? order by number limit 1");
    return db.statement(kSql).first(kInvitation, agent_id, negotiation_id);
}

Result<std::optional<Invitation>> invitation_of_approval(Database& db,
                                                         std::string_view approval_id) {
    static const std::string kSql =
        kInvitation.select("where approval_id = ? and approval_id <> ''");
    return db.statement(kSql).first(kInvitation, approval_id);
}

Result<void> update_invitation(Database& db, const Invitation& changed, InvitationState from) {
    static constexpr auto kChange =
        sql::without<kInvitation, &Invitation::agent_id, &Invitation::negotiation_id,
                     &Invitation::requester_id, &Invitation::demand_id, &Invitation::demand_json,
                     &Invitation::filter_reason, &Invitation::created_at_ms>();
    static const std::string kSql = kChange.update(
        "where agent_id = ? and requester_id = ? and negotiation_id = ? and state = ?");
    A2H_ASSIGN_OR_RETURN(const bool moved, db.statement(kSql).puts_a_row(
                                               kChange, changed, changed.agent_id,
                                               changed.requester_id, changed.negotiation_id, from));
    if (moved) return {};
    return fail(ErrorCode::Conflict, "the invitation to " + changed.negotiation_id +
                                         " is no longer " + std::string(to_string(from)));
}

Result<std::vector<Invitation>> list_invitations(Database& db, std::string_view agent_id,
                                                 bool only_live, int limit) {
    static const std::string kSql = kInvitation.select(
        "where agent_id = ?1 and (?2 = 0 or state <> 'ended') "
        "order by number desc limit ?3");
    return db.statement(kSql).all(kInvitation, agent_id, only_live, limit);
}

Result<int> count_open_invitations(Database& db, std::string_view agent_id,
                                   std::string_view requester_id) {
    static constexpr const char* kSql =
        "select count(*) from invitation where agent_id = ? and requester_id = ? "
        "and state not in ('declined', 'withdrawn', 'ended')";
    A2H_ASSIGN_OR_RETURN(const auto count, db.statement(kSql).number(agent_id, requester_id));
    return static_cast<int>(count);
}

Result<int> count_invitations_since(Database& db, std::string_view agent_id,
                                    std::string_view requester_id, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from invitation where agent_id = ? and requester_id = ? "
        "and created_at_ms >= ?";
    A2H_ASSIGN_OR_RETURN(const auto count,
                         db.statement(kSql).number(agent_id, requester_id, since_ms));
    return static_cast<int>(count);
}

Result<std::vector<Invitation>> invitations_in_thought(Database& db, int limit) {
    static const std::string kSql = kInvitation.select(
        "where thought_job_id <> 0 "
        "order by number limit ?");
    return db.statement(kSql).all(kInvitation, limit);
}

}  // namespace a2h::store
