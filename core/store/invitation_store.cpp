#include "core/store/invitation_store.h"

#include <utility>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_INVITATION_COLUMNS                                                           \
    "agent_id, channel_id, requester_id, demand_id, demand_json, filter_reason, state, " \
    "answer_by_ms, offer_json, round, proposal_json, feedback_type, approval_id, "       \
    "mandate_id, outcome, is_bound, created_at_ms, updated_at_ms, thought_task_id, "     \
    "besides_json"

Invitation read_invitation(Row& row) {
    Invitation found;
    found.agent_id = row.text(0);
    found.channel_id = row.text(1);
    found.requester_id = row.text(2);
    found.demand_id = row.text(3);
    found.demand_json = row.text(4);
    found.filter_reason = row.text(5);
    found.state = row.name(6, parse_invitation_state);
    found.answer_by_ms = row.integer(7);
    found.offer_json = row.text(8);
    found.round = row.small(9);
    found.proposal_json = row.text(10);
    found.feedback = parse_feedback_type(row.text(11));
    found.approval_id = row.text(12);
    found.mandate_id = row.text(13);
    found.outcome = row.text(14);
    found.is_bound = row.integer(15) != 0;
    found.created_at_ms = row.integer(16);
    found.updated_at_ms = row.integer(17);
    found.thought_task_id = row.integer(18);
    found.besides_json = row.text(19);
    return found;
}

std::string_view feedback_name(const Invitation& invitation) {
    return invitation.feedback ? to_string(*invitation.feedback) : std::string_view();
}

}  // namespace

Result<bool> insert_invitation(Database& db, const Invitation& made) {
    static constexpr const char* kSql = "insert into invitation (" A2H_INVITATION_COLUMNS
                                        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                        "?, ?, ?, ?) on conflict do nothing";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(made.agent_id, made.channel_id, made.requester_id, made.demand_id,
                       made.demand_json, made.filter_reason, to_string(made.state),
                       made.answer_by_ms, made.offer_json, made.round, made.proposal_json,
                       feedback_name(made), made.approval_id, made.mandate_id, made.outcome,
                       made.is_bound ? 1 : 0, made.created_at_ms, made.updated_at_ms,
                       made.thought_task_id, made.besides_json));
    return insert.changes() == 1;
}

Result<std::optional<Invitation>> get_invitation(Database& db, std::string_view agent_id,
                                                 std::string_view requester_id,
                                                 std::string_view channel_id) {
    static constexpr const char* kSql =
        "select " A2H_INVITATION_COLUMNS
        " from invitation where agent_id = ? and requester_id = ? and channel_id = ?";
    return db.statement(kSql).first(read_invitation, agent_id, requester_id, channel_id);
}

Result<std::optional<Invitation>> find_invitation(Database& db, std::string_view agent_id,
                                                  std::string_view channel_id) {
    static constexpr const char* kSql =
        "select " A2H_INVITATION_COLUMNS
        " from invitation where agent_id = ? and channel_id = ? order by number limit 1";
    return db.statement(kSql).first(read_invitation, agent_id, channel_id);
}

Result<std::optional<Invitation>> invitation_of_approval(Database& db,
                                                         std::string_view approval_id) {
    static constexpr const char* kSql =
        "select " A2H_INVITATION_COLUMNS
        " from invitation where approval_id = ? and approval_id <> ''";
    return db.statement(kSql).first(read_invitation, approval_id);
}

Result<void> update_invitation(Database& db, const Invitation& changed, InvitationState from) {
    static constexpr const char* kSql =
        "update invitation set state = ?, answer_by_ms = ?, offer_json = ?, round = ?, "
        "proposal_json = ?, feedback_type = ?, approval_id = ?, mandate_id = ?, outcome = ?, "
        "is_bound = ?, updated_at_ms = ?, thought_task_id = ?, besides_json = ? where agent_id = ? "
        "and requester_id "
        "= ? and channel_id = "
        "? "
        "and state = ?";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(to_string(changed.state), changed.answer_by_ms, changed.offer_json,
                       changed.round, changed.proposal_json, feedback_name(changed),
                       changed.approval_id, changed.mandate_id, changed.outcome,
                       changed.is_bound ? 1 : 0, changed.updated_at_ms, changed.thought_task_id,
                       changed.besides_json, changed.agent_id, changed.requester_id,
                       changed.channel_id, to_string(from)));
    if (update.changes() == 1) return {};
    return fail(ErrorCode::Conflict, "the invitation to " + changed.channel_id + " is no longer " +
                                         std::string(to_string(from)));
}

Result<std::vector<Invitation>> list_invitations(Database& db, std::string_view agent_id,
                                                 bool only_live, int limit) {
    static constexpr const char* kSql =
        "select " A2H_INVITATION_COLUMNS
        " from invitation where agent_id = ?1 and (?2 = 0 or state <> 'ended') "
        "order by number desc limit ?3";
    return db.statement(kSql).all(read_invitation, agent_id, only_live ? 1 : 0, limit);
}

Result<int> count_open_invitations(Database& db, std::string_view agent_id,
                                   std::string_view requester_id) {
    static constexpr const char* kSql =
        "select count(*) from invitation where agent_id = ? and requester_id = ? "
        "and state not in ('declined', 'withdrawn', 'ended')";
    const auto count =
        db.statement(kSql).first([](Row& row) { return row.small(0); }, agent_id, requester_id);
    if (!count) return fail(count.error());
    return count->value_or(0);
}

Result<int> count_invitations_since(Database& db, std::string_view agent_id,
                                    std::string_view requester_id, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from invitation where agent_id = ? and requester_id = ? "
        "and created_at_ms >= ?";
    const auto count = db.statement(kSql).first([](Row& row) { return row.small(0); }, agent_id,
                                                requester_id, since_ms);
    if (!count) return fail(count.error());
    return count->value_or(0);
}

Result<std::vector<Invitation>> invitations_in_thought(Database& db, int limit) {
    static constexpr const char* kSql = "select " A2H_INVITATION_COLUMNS
                                        " from invitation where thought_task_id <> 0 "
                                        "order by number limit ?";
    return db.statement(kSql).all(read_invitation, limit);
}

}  // namespace a2h::store
