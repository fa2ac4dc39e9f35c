#include "daemon/consent/flood.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/i18n/messages.h"
#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/open_matter_store.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/own_offer.h"
#include "daemon/consent/renewal.h"
#include "daemon/consent/way_steps.h"

namespace a2h::consent {
namespace {

bool is_about_message(const Approval& question) {
    return question.job_id != 0 && !question.peer_id.empty() &&
           row_of(question.action).answers_peer;
}

/// The question that asks the human to read the conversation in which `before` was asked.
Question reading_of(const Approval& before, const Policy& policy, UnixMs now_ms) {
    const ActionIds ids = ids_of_action(before.action_json);
    Ask ask;
    ask.agent_id = before.agent_id;
    ask.peer_id = before.peer_id;
    ask.job_id = before.job_id;
    ask.action = kReplyAction;
    ask.order_id = ids.order_id;
    ask.works_id = ids.works_id;
    ask.question = i18n::text(policy.language, "approval.read_first", {{"peer", before.peer_id}});
    if (before.job_id != 0) ask.context = before.context;
    ask.provenance = before.provenance;
    ask.requested_by = kFloodCause;
    ask.about = About::Terms;
    ask.peer_text = before.peer_text;
    return new_approval(ask, policy, now_ms);
}

/// The open questions that `reading` takes the place of. A question about a message whose sender is
/// more certain stays open (R49).
Result<std::vector<Approval>> replaced_by(store::Database& db, const Approval& reading) {
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::pending_about(db, reading.agent_id, reading.peer_id));
    A2H_ASSIGN_OR_RETURN(const auto sure, asked_about(db, reading, reading.peer_id));
    std::vector<Approval> replaced;
    for (const Approval& question : open) {
        if (question.id == reading.id) continue;
        if (!is_about_message(question) && !asks_to_read(question)) continue;
        A2H_ASSIGN_OR_RETURN(const auto other, asked_about(db, question, question.peer_id));
        if (certainty(other) <= certainty(sure)) replaced.push_back(question);
    }
    return replaced;
}

/// A rule that names too few people prevents no question that sends nothing. It is applied to the
/// words that the human writes.
Result<void> set_voters_if_enough(Approval& reading, const Policy& policy) {
    const auto set = set_voters(reading, policy.rules);
    return set || set.error().code == ErrorCode::Conflict ? Result<void>() : set;
}

/// The human is asked for what has been said so far: all of that can be read.
Result<void> move_to_newest(store::Database& db, Approval& reading) {
    A2H_ASSIGN_OR_RETURN(const auto newest, store::newest_inbox_id(db));
    reading.seen_inbox_id = reading.seen_other_id = newest;
    A2H_ASSIGN_OR_RETURN(reading.seen_read_ms, store::newest_read_ms(db));
    return {};
}

/// A further flood extends neither the time to answer nor the time until the substitutes are asked.
void keep_times(Approval& reading, const std::vector<Approval>& replaced) {
    const auto before = std::find_if(replaced.begin(), replaced.end(), asks_to_read);
    if (before == replaced.end()) return;
    reading.created_at_ms = before->created_at_ms;
    reading.answer_by_ms = before->answer_by_ms;
    reading.act_by_ms = before->act_by_ms;
    reading.escalated_at_ms = before->escalated_at_ms;
}

Result<void> close_replaced(store::Database& db, const std::vector<Approval>& replaced,
                            const Approval& reading, const Policy& policy, UnixMs now_ms) {
    for (Approval question : replaced) {
        // The new question is about the same message, which still waits.
        if (question.job_id == reading.job_id) question.job_id = 0;
        A2H_TRY(close_question(db, std::move(question), ClosedBy::UnreadMessage, reading.id, policy,
                               now_ms));
    }
    return {};
}

Result<Approval> ask(store::Database& db, Question reading, const Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto replaced, replaced_by(db, reading));
    keep_times(reading, replaced);
    reading.priority = way::priority_of(reading, policy, now_ms);
    A2H_TRY(set_voters_if_enough(reading, policy));
    A2H_TRY(move_to_newest(db, reading));
    A2H_TRY(name_own_offer(db, reading, now_ms));
    UnixMs notified_at_ms = now_ms;
    for (const Approval& question : replaced) {
        A2H_ASSIGN_OR_RETURN(const auto at_ms, news_time(db, question, now_ms));
        notified_at_ms = std::max(notified_at_ms, at_ms);
    }
    A2H_TRY(store_question(db, reading, now_ms));
    if (reading.escalated_at_ms != 0)
        A2H_TRY(store::mark_escalated(db, reading.id, reading.escalated_at_ms));
    A2H_TRY(close_replaced(db, replaced, reading, policy, now_ms));
    A2H_TRY(notify_asked(db, reading, kAskedKind, policy, now_ms, notified_at_ms));
    return Approval(std::move(reading));
}

/// Whether the human is asked to read the conversation already, because of messages whose sender is
/// no more certain than that of `asked`.
Result<bool> is_being_read(store::Database& db, const Approval& asked) {
    A2H_ASSIGN_OR_RETURN(const auto replaced, replaced_by(db, asked));
    return std::any_of(replaced.begin(), replaced.end(), asks_to_read);
}

}  // namespace

bool asks_to_read(const Approval& question) {
    return question.requested_by == kFloodCause;
}

Result<std::optional<Approval>> read_first(store::Database& db, const Question& asked, bool whole,
                                           const Policy& policy, UnixMs now_ms) {
    const bool is_by_rule = asked.requested_by.starts_with("rule:");
    if (!is_by_rule || !is_about_message(asked)) return std::optional<Approval>();
    A2H_ASSIGN_OR_RETURN(const bool is_read, is_being_read(db, asked));
    if (whole && !is_read) return std::optional<Approval>();
    Question reading = reading_of(asked, policy, now_ms);
    reading.id = asked.id;
    A2H_ASSIGN_OR_RETURN(auto stored, ask(db, std::move(reading), policy, now_ms));
    return std::optional(std::move(stored));
}

Result<Approval> read_instead(store::Database& db, const Approval& open, const Policy& policy,
                              UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto reading, ask(db, reading_of(open, policy, now_ms), policy, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto now, store::get_approval(db, open.id));
    if (now && now->status == ApprovalStatus::Pending)
        A2H_TRY(close_replaced(db, {*now}, reading, policy, now_ms));
    return reading;
}

Result<void> leave_unread(store::Database& db, const Later& unread, const Policy& policy,
                          UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::pending_about(db, unread.agent_id, unread.peer_id));
    for (const Approval& question : open) {
        if (!is_about_message(question) || asks_to_read(question)) continue;
        A2H_ASSIGN_OR_RETURN(const bool is_older, is_made_old_by(db, question, unread));
        if (!is_older) continue;
        const auto asked = read_instead(db, question, policy, now_ms);
        return asked ? Result<void>() : fail(asked.error());
    }
    return {};
}

}  // namespace a2h::consent
