#include "daemon/consent/changed_listing.h"

#include <algorithm>

#include "core/i18n/messages.h"
#include "core/store/approval_store.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/newer.h"

namespace a2h::consent {
namespace {

/// The question about the same message, to which a person writes the answer.
Ask without_draft(const Approval& question, const std::string& works_id, const Policy& policy) {
    Ask ask;
    ask.agent_id = question.agent_id;
    ask.peer_id = question.peer_id;
    ask.job_id = question.job_id;
    ask.action = question.action;
    ask.works_id = works_id;
    ask.question =
        i18n::text(policy.language, "approval.about_changed_listing", {{"peer", question.peer_id}});
    ask.context = question.context;
    ask.provenance = question.provenance;
    ask.requested_by = question.requested_by;
    ask.about = question.about;
    ask.peer_text = question.peer_text;
    return ask;
}

Result<void> ask_without_draft(store::Database& db, Approval question, const std::string& works_id,
                               const Policy& policy, UnixMs now_ms) {
    const Question next = new_approval(without_draft(question, works_id, policy), policy, now_ms);
    const auto asked = open_approval(db, next, policy, now_ms);
    // The old draft ends even if too few people are left to agree.
    if (!asked && asked.error().code != ErrorCode::Conflict) return fail(asked.error());
    const std::string next_id = asked ? next.id : std::string();
    if (asked) question.job_id = 0;  // the new question is about the same message
    return close_question(db, question, ClosedBy::Market, next_id, policy, now_ms);
}

}  // namespace

Result<void> end_drafts_about(store::Database& db, std::string_view agent_id,
                              const std::vector<std::string>& works_ids, const Policy& policy,
                              UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto live, store::live_approvals(db, agent_id));
    for (const Approval& question : live) {
        const ActionRow& row = row_of(question.action);
        const std::string works_id = ids_of_action(question.action_json).works_id;
        const bool is_about =
            std::find(works_ids.begin(), works_ids.end(), works_id) != works_ids.end();
        if (question.status != ApprovalStatus::Pending || !row.sends_words || !is_about) continue;
        A2H_TRY(row.answers_peer
                    ? ask_without_draft(db, question, works_id, policy, now_ms)
                    : close_question(db, question, ClosedBy::Market, {}, policy, now_ms));
    }
    return {};
}

}  // namespace a2h::consent
