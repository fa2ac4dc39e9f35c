// The way of a question from top to bottom: asked, shown, answered, carried out. All steps run on
// the store writer, inside the caller's transaction. The network is used by others:
// notify::NotificationQueue delivers the cards of step 2, and answers::Executor calls the market in
// step 4.
//
// `open_by_mandate` (by_mandate.h) is a second way into step 1, for a mandate that haggles. It goes
// from `store_question` to `answer_by_mandate` and leaves out `mandate_for` and `show_newer`. Its
// only caller, daemon/bargain/bargaining.cpp, has checked instead:
// - the message is a verified, plain offer without words in its ids, and the key of the peer has
//   not changed;
// - the mandate is in force, for this peer and listing, none that is for them is suspended
//   (`kRest`), and the amount is within its limit, counts and sums (`may_offer`);
// - the listing says what the owner has seen, and is on the owner's side of the price;
// - no agreement about the listing stood when the bargain began, and the mandate had not been used
//   with this peer and listing before;
// - the peer has written nothing since (`has_newer`), and nothing else is open with it
//   (`is_open_beside`).
// An opening offer answers no message: of the first and the last point, only the key and the open
// matters are checked for it.

#include "daemon/consent/way.h"

#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/mandate_store.h"
#include "core/wire/canonical.h"
#include "daemon/card/card.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/by_mandate.h"
#include "daemon/consent/flood.h"
#include "daemon/consent/own_offer.h"
#include "daemon/consent/proof.h"
#include "daemon/consent/renewal.h"
#include "daemon/consent/way_steps.h"
#include "daemon/effects/rows.h"

namespace a2h::consent {

/// 1. Ask: a mandate answers at once, or people are asked.
Result<Approval> open_approval(store::Database& db, const Question& asked, const Policy& policy,
                               UnixMs now_ms) {
    Question approval = asked;
    approval.priority = way::priority_of(approval, policy, now_ms);
    A2H_TRY(set_voters(approval, policy.rules));
    // Before a mandate is looked for: otherwise, while no question has room, an assistant could
    // find out what a mandate covers without leaving a question.
    A2H_TRY(way::check_room(db, approval));
    A2H_ASSIGN_OR_RETURN(const auto mandate, way::mandate_for(db, approval, now_ms));
    if (!mandate) A2H_TRY(way::say_why_no_mandate(db, approval, policy, now_ms));
    A2H_ASSIGN_OR_RETURN(const bool is_whole, show_newer(db, approval, policy));
    if (!mandate) {
        A2H_ASSIGN_OR_RETURN(auto reading, read_first(db, approval, is_whole, policy, now_ms));
        if (reading) return std::move(*reading);
    }
    A2H_TRY(name_own_offer(db, approval, now_ms));
    A2H_TRY(store_question(db, approval, now_ms));
    if (mandate) return answer_by_mandate(db, approval, *mandate, policy, now_ms);
    A2H_TRY(way::show(db, approval, policy, now_ms));
    return Approval(std::move(approval));
}

/// 1. Ask, for a mandate that haggles: its yes is given at once, and nobody is asked.
Result<std::optional<Approval>> open_by_mandate(store::Database& db, const Question& asked,
                                                std::string_view mandate_id, const Policy& policy,
                                                UnixMs now_ms) {
    Question approval = asked;
    approval.priority = way::priority_of(approval, policy, now_ms);
    A2H_TRY(set_voters(approval, policy.rules));
    if (!approval.voters.empty()) return std::optional<Approval>();
    A2H_TRY(store_question(db, approval, now_ms));
    A2H_ASSIGN_OR_RETURN(auto given, answer_by_mandate(db, approval, mandate_id, policy, now_ms));
    return std::optional(std::move(given));
}

/// 2. Show: writes a row for every channel of everybody who may answer now. The card is made from
/// the question when the row is delivered, or when the page or the terminal shows it (daemon/card).
Result<void> way::show(store::Database& db, const Approval& approval, const Policy& policy,
                       UnixMs now_ms) {
    return notify_asked(db, approval, kAskedKind, policy, now_ms);
}

/// 3. Answer: applies a person's answer to the question in its present form, if it is proved.
Result<AnswerOutcome> apply_answer(store::Database& db, const Answer& given,
                                   const HumanSecrets& secrets, const Policy& policy,
                                   UnixMs now_ms) {
    AnswerOutcome outcome;
    A2H_ASSIGN_OR_RETURN(auto stored, store::get_approval(db, given.approval_id));
    if (!stored) {
        outcome.refused = Error{ErrorCode::NotFound, "there is no such approval"};
        return outcome;
    }
    Answer answer = given;
    if (answer.surface == AnswerSurface::Code) {
        answer.person = holder_of_code(*stored, answer.proof, secrets, policy)
                            .value_or(owner_of(policy.people));
    }
    A2H_ASSIGN_OR_RETURN(auto refused, way::check(db, answer, *stored, secrets, policy, now_ms));
    if (refused) {
        outcome.refused = std::move(refused);
        return outcome;
    }
    way::Step step = way::new_step(db, answer, policy, now_ms, std::move(*stored));
    A2H_TRY(way::settle(step));
    outcome.answered = std::move(step.result);
    return outcome;
}

/// 3. Answer: applies the yes of a mandate, and notifies people of it.
Result<Approval> answer_by_mandate(store::Database& db, const Question& approval,
                                   std::string_view mandate_id, const Policy& policy,
                                   UnixMs now_ms) {
    // A mandate that approved the same terms when they were offered has already counted this use.
    if (approval.claims.continues_mandate != mandate_id) {
        A2H_TRY(store::insert_mandate_use(
            db, {approval.id, std::string(mandate_id), approval.amount_minor.value_or(0), now_ms}));
    }
    Answer answer;
    answer.approval_id = approval.id;
    answer.kind = AnswerKind::Approve;
    answer.surface = AnswerSurface::Mandate;
    answer.person = "mandate:" + std::string(mandate_id);
    way::Step step = way::new_step(db, answer, policy, now_ms, approval);
    A2H_TRY(way::settle(step));
    Notification news;
    news.agent_id = approval.agent_id;
    news.approval_id = approval.id;
    news.kind = "mandate.used";
    news.body_json = wire::text_object(
        {{"text", i18n::text(policy.language, "approval.mandate_used",
                             {{"mandate", mandate_id}, {"question", approval.question}})}});
    A2H_TRY(notify_human(db, news, policy, now_ms));
    return step.result.approval;
}

/// Carries out what follows from the answer. If several people must agree, only the last yes ends
/// the question.
Result<void> way::settle(Step& step) {
    if (step.answer.kind == AnswerKind::Withdraw) return withdraw(step);
    const bool edits = is_edit(step.answer, step.approval);
    if (edits) {
        A2H_TRY(edit(step));
        if (!check_voter(step.approval, step.answer.person)) return ask_others(step);
    }
    if (step.answer.kind == AnswerKind::Approve) {
        A2H_ASSIGN_OR_RETURN(const auto last, is_last_vote(step));
        if (!last) return edits ? ask_others(step) : stay_open(step, "approval.voted");
    }
    A2H_TRY(record_answer(step));
    switch (step.answer.kind) {
        case AnswerKind::Approve:
            A2H_TRY(approve(step));
            break;
        case AnswerKind::Reject:
            A2H_TRY(reject(step));
            break;
        case AnswerKind::Option:
        case AnswerKind::Instruct:
            A2H_TRY(instruct(step));
            break;
        case AnswerKind::Withdraw:
            break;  // handled above
    }
    A2H_TRY(record_event(step));
    step.result.approval = step.approval;
    step.result.approval.unsent = step.result.reply_queued ? 1 : 0;
    return {};
}

/// 3a. After a yes: a reply is sent; any other action waits for `carry_out`.
Result<void> way::approve(Step& step) {
    step.result.needs_execution = !row_of(step.approval.action).answers_peer;
    if (!step.result.needs_execution) A2H_TRY(release_reply(step));
    const bool by_mandate = step.answer.surface == AnswerSurface::Mandate;
    const bool closes = card::closes_without_answer(step.approval);
    return settle_job_of(step, by_mandate ? "approval.job_mandate"
                               : closes   ? "approval.job_closed"
                                          : "approval.job_approved");
}

/// 3a. After a no. A question without an answer ends in `expire_overdue`.
Result<void> way::reject(Step& step) {
    A2H_TRY(send_refusal(step));
    A2H_TRY(end_without(step));
    return settle_job_of(step, "approval.job_rejected");
}

/// 3a. After an instruction: its words become a new question.
Result<void> way::instruct(Step& step) {
    A2H_TRY(end_without(step));
    // If the feature has already opened a question, that one replaces it.
    return step.result.next ? Result<void>() : become_draft(step);
}

namespace {

/// Failures that a later attempt would not change, unlike a failure of the disk.
bool is_about_the_action(ErrorCode code) {
    return code == ErrorCode::InvalidArgument || code == ErrorCode::Conflict ||
           code == ErrorCode::NotFound || code == ErrorCode::Corrupt;
}

/// Writes the audit row and the event of an outcome.
Result<void> write_outcome(store::Database& db, const Approval& approval, ApprovalOutcome outcome,
                           std::string_view detail, UnixMs now_ms) {
    const std::string text =
        wire::text_object({{"outcome", to_string(outcome)}, {"detail", detail}});
    A2H_TRY(store::append_audit(db, approval.id, to_string(outcome), text, now_ms));
    const Event event =
        effects::new_event(approval.agent_id, "approval.executed", approval.id, text, now_ms);
    A2H_TRY(store::insert_event(db, event));
    return {};
}

}  // namespace

/// 4. Carry out: uses the yes, and does what was approved in the same transaction.
Result<void> carry_out(store::Database& db, const Approval& approval, bool all_or_nothing,
                       const Policy& policy, UnixMs now_ms) {
    A2H_TRY(store::consume_approval(db, approval.id, now_ms));
    const auto made = row_of(approval.action).carry_out(db, approval, policy, now_ms);
    if (made) return record_outcome(db, approval, ApprovalOutcome::Executed, *made, policy, now_ms);
    if (all_or_nothing || !is_about_the_action(made.error().code)) return fail(made.error());
    return record_outcome(db, approval, ApprovalOutcome::Failed, made.error().message, policy,
                          now_ms);
}

/// 5. Done: executed, failed or unknown. What was executed needs no notification.
Result<void> record_outcome(store::Database& db, const Approval& approval, ApprovalOutcome outcome,
                            std::string_view detail, const Policy& policy, UnixMs now_ms) {
    A2H_TRY(store::finish_approval(db, approval.id, outcome, detail, now_ms));
    A2H_TRY(write_outcome(db, approval, outcome, detail, now_ms));
    if (outcome != ApprovalOutcome::Failed && outcome != ApprovalOutcome::Unknown) return {};
    return way::notify_not_done(db, approval, outcome, detail, policy, now_ms);
}

Result<void> take_back(store::Database& db, const Approval& approval, std::string_view why,
                       UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto changed,
                         store::take_back_approval(db, approval.id, why, now_ms));
    if (!changed) return {};
    return write_outcome(db, approval, ApprovalOutcome::Failed, why, now_ms);
}

}  // namespace a2h::consent
