#include <algorithm>
#include <cctype>

#include "core/base/fence.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/audit.h"
#include "core/i18n/normalize.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/listing_store.h"
#include "core/store/mandate_store.h"
#include "core/store/outbox_store.h"
#include "core/store/vote_store.h"
#include "core/wire/canonical.h"
#include "core/wire/payload.h"
#include "daemon/card/card.h"
#include "daemon/card/options.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/by_mandate.h"
#include "daemon/consent/door.h"
#include "daemon/consent/flood.h"
#include "daemon/consent/job_state.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/own_offer.h"
#include "daemon/consent/proof.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/renewal.h"
#include "daemon/consent/said.h"
#include "daemon/consent/way_steps.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/draft_review.h"
#include "daemon/decide/free_words.h"
#include "daemon/effects/rows.h"

namespace a2h::consent {

using way::is_edit;
using way::Refusal;
using way::Step;

namespace {

Refusal refuse(ErrorCode code, std::string message) {
    return Error{code, std::move(message)};
}

bool text_fits(std::string_view text) {
    return is_utf8(text) && code_point_count(text) <= kAnswerTextMax;
}

Result<bool> is_trusted(store::Database& db, const Answer& answer, const Approval& approval,
                        const Policy& policy) {
    if (!answer.elicited || answer.digest_seen != approval.digest) return false;
    return trusts_dialog(db, approval, policy);
}

/// An answer that nobody proved says no to what an assistant asked, or changes it, and nothing
/// else.
Result<Refusal> check_unproved(store::Database& db, const Answer& answer, const Approval& approval,
                               const Policy& policy) {
    if (answer.surface != AnswerSurface::Relayed) return Refusal();
    A2H_ASSIGN_OR_RETURN(const auto trusted, is_trusted(db, answer, approval, policy));
    if (trusted) return Refusal();
    if (answer.kind == AnswerKind::Approve) {
        return refuse(ErrorCode::PermissionDenied,
                      "a relayed answer cannot approve; ask the human for the six-digit code of "
                      "the notification, or to use its link or 'a2h approve'");
    }
    if (row_of(approval.action).is_awaited) {
        return refuse(
            ErrorCode::PermissionDenied,
            "the peer waits for this answer, so a no needs the six-digit code of the "
            "notification; the question stays open. Ask the human for the code, or to use "
            "the link or 'a2h reject'");
    }
    if (is_of_assistant(approval)) return Refusal();
    return refuse(ErrorCode::PermissionDenied,
                  "no assistant asked this question, so its answer needs the six-digit code of "
                  "the notification; the question stays open. Ask the human for the code, or to "
                  "use the link or 'a2h approve'; to propose words to the peer, send them with "
                  "a2h_send, which asks the human");
}

Refusal check_edit(const Answer& answer, const Approval& approval) {
    if (!is_edit(answer, approval)) return std::nullopt;
    if (answer.surface != AnswerSurface::Page && answer.surface != AnswerSurface::Terminal) {
        return refuse(ErrorCode::PermissionDenied,
                      "the text can be edited on the page or in the terminal only");
    }
    if (!row_of(approval.action).answers_peer || approval.peer_id.empty()) {
        return refuse(ErrorCode::InvalidArgument, "only the text of a reply can be edited");
    }
    return std::nullopt;
}

/// True for an option such as "Make a counter-offer".
bool stands_for_words(const Answer& answer, const Approval& approval) {
    const OptionKind kind = card::kind_of_option(approval, answer.words);
    return kind == OptionKind::Counter || kind == OptionKind::Answer;
}

Refusal check_words(const Answer& answer, const Approval& approval) {
    if (!text_fits(answer.words) || !text_fits(answer.edited_reply_text)) {
        return refuse(ErrorCode::InvalidArgument, "the text is not UTF-8 or longer than " +
                                                      std::to_string(kAnswerTextMax) +
                                                      " characters");
    }
    if (const auto hidden = unseen_in(answer)) {
        return refuse(ErrorCode::InvalidArgument,
                      "the text contains an invisible character: " + to_text(*hidden) +
                          "; it may come from pasted text; remove it");
    }
    if (answer.kind == AnswerKind::Option && stands_for_words(answer, approval)) {
        return refuse(ErrorCode::InvalidArgument,
                      "this option stands for words of your own; answer with the words");
    }
    const bool needs_words =
        answer.kind == AnswerKind::Instruct || answer.kind == AnswerKind::Option;
    if (needs_words && trim(answer.words).empty()) {
        return refuse(ErrorCode::InvalidArgument, "an instruction needs words");
    }
    if (needs_words && !takes_words(approval)) {
        return refuse(ErrorCode::InvalidArgument,
                      "this question takes only a yes or a no, and stays open; write to the peer "
                      "with 'a2h send'");
    }
    if (!answer.edited_reply_text.empty() && trim(answer.edited_reply_text).empty()) {
        return refuse(ErrorCode::InvalidArgument, "the text is blank");
    }
    return std::nullopt;
}

/// Returns what closed the question, and the question that is open now.
Result<std::string> closed_with_next(store::Database& db, Approval approval) {
    A2H_ASSIGN_OR_RETURN(const auto standing, standing_for(db, approval));
    approval.next_id = standing ? standing->id : std::string();
    return closed_words(approval);
}

std::string answered_words(const Approval& approval) {
    if (approval.status == ApprovalStatus::Expired) {
        return "this approval expired unanswered at " + to_utc_time(approval.answered_at_ms);
    }
    const std::string surface(approval.surface ? to_string(*approval.surface) : "unknown");
    return "this approval was " + std::string(to_string(approval.status)) + " by " +
           approval.answered_by + " (" + surface + ") at " + to_utc_time(approval.answered_at_ms);
}

Result<Refusal> check_open(store::Database& db, const Answer& answer, const Approval& approval,
                           UnixMs now_ms) {
    if (approval.closed_by) {
        A2H_ASSIGN_OR_RETURN(const auto words, closed_with_next(db, approval));
        return refuse(ErrorCode::Conflict, words);
    }
    if (approval.status != ApprovalStatus::Pending) {
        return refuse(ErrorCode::Conflict, answered_words(approval));
    }
    if (now_ms >= approval.answer_by_ms) {
        return refuse(ErrorCode::Conflict, "this approval expired at " +
                                               to_utc_time(approval.answer_by_ms) +
                                               "; the answer came too late");
    }
    A2H_ASSIGN_OR_RETURN(const bool is_as_asked, was_asked_so(db, approval));
    if (!is_as_asked) {
        return refuse(ErrorCode::Corrupt,
                      "the question was changed in the database; nothing can be answered to it");
    }
    if (!answer.digest_seen.empty() && answer.digest_seen != approval.digest) {
        return refuse(ErrorCode::Conflict,
                      "the question has changed since it was shown; read it again");
    }
    return Refusal();
}

Refusal check_vote(const Answer& answer, const Approval& approval) {
    if (answer.kind == AnswerKind::Withdraw && !needs_votes(approval)) {
        return refuse(ErrorCode::InvalidArgument, "one yes decides this; it cannot be withdrawn");
    }
    if (answer.kind != AnswerKind::Approve) return std::nullopt;
    const auto may = check_voter(approval, answer.person);
    return may ? Refusal() : Refusal(may.error());
}

/// True for the draft that a person's instruction has become.
bool is_worded_by_person(const Approval& approval) {
    return approval.requested_by.starts_with("approval:") && !approval.asked_by.empty();
}

/// Nothing is cut where it is decided: a draft is not approved while the peer has said more than a
/// card can show. The human's own words need no card.
Result<Refusal> check_whole(store::Database& db, const Answer& answer, const Approval& approval,
                            const Policy& policy) {
    const bool is_own_words = is_edit(answer, approval) || is_worded_by_person(approval);
    if (approval.job_id == 0 || approval.peer_id.empty() || is_own_words) return Refusal();
    A2H_ASSIGN_OR_RETURN(const auto open, open_before(db, approval, policy.language));
    if (!open.has_more) return Refusal();
    return refuse(
        ErrorCode::PermissionDenied,
        "the peer has said more than a card can show; read the conversation (`a2h inbox " +
            approval.peer_id + "`) and answer in words of your own");
}

/// The words of the human's own accept no typed offer, unless they are nothing but a yes (R73).
Result<Refusal> check_stands(store::Database& db, const Answer& answer, const Approval& approval,
                             UnixMs now_ms) {
    if (is_edit(answer, approval) && !is_plain_yes(answer.edited_reply_text)) return Refusal();
    A2H_ASSIGN_OR_RETURN(const bool stands, accepts_what_stands(db, approval, now_ms));
    if (stands) return Refusal();
    return refuse(
        ErrorCode::Conflict,
        "changed meanwhile: the peer no longer stands to this offer, or both have agreed; "
        "the question stays open for words of your own or a no");
}

/// A yes, or the human's own words, that would send the peer something or accept something of it
/// counts only for what the card showed.
Result<Refusal> check_shown(store::Database& db, const Answer& answer, const Approval& approval,
                            const Policy& policy, UnixMs now_ms) {
    if (card::closes_without_answer(approval) && !is_edit(answer, approval)) return Refusal();
    if (!answer.mail_is_read) {
        return refuse(ErrorCode::Unavailable,
                      "the peer may have written since, and mail is still being read; nothing was "
                      "done; answer again in a moment");
    }
    A2H_ASSIGN_OR_RETURN(auto cut, check_whole(db, answer, approval, policy));
    if (cut) return cut;
    A2H_ASSIGN_OR_RETURN(const auto overtaken, is_being_overtaken(db, approval));
    if (overtaken) {
        return refuse(ErrorCode::Unavailable,
                      "a newer message of this peer is being read; read the question again");
    }
    A2H_ASSIGN_OR_RETURN(const auto renewed, renew(db, approval, policy, now_ms));
    if (!renewed) return check_stands(db, answer, approval, now_ms);
    A2H_ASSIGN_OR_RETURN(const auto closed, store::get_approval(db, approval.id));
    return refuse(ErrorCode::Conflict, closed_words(*closed));
}

/// `before_ms`: the message is not sent after it; 0: none.
Result<std::string> queue(Step& step, std::string payload_json, std::string effect_key,
                          UnixMs before_ms = 0) {
    A2H_ASSIGN_OR_RETURN(auto trace, trace_of_job(step.db, step.approval.job_id, step.now_ms));
    OutboxMessage message = effects::new_outbox_message(
        step.approval.agent_id, step.approval.peer_id, std::move(payload_json), trace,
        "approval:" + step.approval.id, step.now_ms);
    message.effect_key = std::move(effect_key);
    if (before_ms != 0) message.expires_at_ms = std::min(message.expires_at_ms, before_ms);
    A2H_TRY(put_in_outbox(step.db, message));
    A2H_TRY(close_answered(step.db, message, step.policy, step.now_ms));
    step.result.reply_queued = true;
    return message.message_id;
}

Result<std::string> queue_text(Step& step, std::string_view text, std::string effect_key) {
    const ActionIds ids = ids_of_action(step.approval.action_json);
    std::string payload = wire::text_payload(text, ids.order_id, ids.works_id);
    return queue(step, ending_offer(std::move(payload), step.approval.action_json),
                 std::move(effect_key));
}

/// True if a peer waits for words: for each message that caused the question, and for a draft that
/// an assistant wanted to send. For an assistant's bare question, the assistant gets the words.
bool becomes_draft(const Answer& answer, const Approval& approval) {
    if (!row_of(approval.action).answers_peer || approval.peer_id.empty()) return false;
    return approval.job_id != 0 || asks_to_read(approval) ||
           (answer.kind == AnswerKind::Instruct && !approval.reply_text.empty());
}

/// In a home of several people others read it, too, so it names the person.
std::string draft_question(const Step& step) {
    const i18n::Language language = step.policy.language;
    const std::string& person = step.answer.person;
    const bool is_relayed = step.answer.surface == AnswerSurface::Relayed;
    const char* key = step.policy.people.size() < 2 ? "approval.confirm_draft"
                      : is_relayed                  ? "approval.confirm_draft_relayed"
                                                    : "approval.confirm_draft_of";
    return i18n::text(language, key,
                      {{"peer", step.approval.peer_id},
                       {"words", preview(step.answer.words)},
                       {"person", person == kOwner ? i18n::text(language, "card.owner") : person}});
}

/// Whether the question is about an offer of its own type, which words do not accept.
Result<bool> is_about_typed_offer(store::Database& db, const Approval& approval) {
    if (approval.job_id == 0) return false;
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(db, approval.job_id));
    return message && is_offering(wire::view_payload(message->payload_json).type);
}

Question draft(const Step& step, bool leaves_offer) {
    const Approval& before = step.approval;
    const ActionIds ids = ids_of_action(before.action_json);
    Ask ask;
    ask.agent_id = before.agent_id;
    ask.peer_id = before.peer_id;
    ask.job_id = before.job_id;
    ask.action = before.action;
    ask.reply_text = decide::draft_from_instruction(step.answer.words, before.currency);
    ask.reject_text = before.reject_text;
    ask.order_id = ids.order_id;
    ask.works_id = ids.works_id;
    ask.question = draft_question(step);
    ask.context = before.context;
    ask.peer_text = before.peer_text;
    ask.provenance = before.provenance;
    ask.about = before.about;
    ask.leaves_offer = leaves_offer;
    ask.requested_by = "approval:" + before.id;
    if (step.answer.surface != AnswerSurface::Relayed) ask.asked_by = step.answer.person;
    return new_approval(ask, step.policy, step.now_ms);
}

/// Whether all that a yes to `approval` sends passes the strict review for words that no human
/// sees: no amount, not even a listed one, no link, no promise, nothing that could agree.
bool sends_plain_words(const Approval& approval) {
    const std::string& text = approval.reply_text;
    const bool has_digit =
        std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool is_only_words = payload_of_action(approval.action_json).empty();
    if (has_digit || !is_only_words) return false;
    return decide::are_free_words(text);
}

/// Removes the yes to these words that the person gave before somebody else changed them: choosing
/// them again is another yes.
Result<void> forget_vote(Step& step) {
    const auto forgotten =
        store::withdraw_vote(step.db, step.approval.id, step.answer.person, step.approval.digest);
    if (forgotten || forgotten.error().code == ErrorCode::NotFound) return {};
    return fail(forgotten.error());
}

ApprovalStatus status_after(AnswerKind kind) {
    switch (kind) {
        case AnswerKind::Approve:
            return ApprovalStatus::Approved;
        case AnswerKind::Reject:
            return ApprovalStatus::Rejected;
        case AnswerKind::Option:
        case AnswerKind::Instruct:
        case AnswerKind::Withdraw:
            break;
    }
    return ApprovalStatus::Instructed;
}

}  // namespace

namespace way {

Step new_step(store::Database& db, const Answer& answer, const Policy& policy, UnixMs now_ms,
              Approval approval) {
    std::string by = answer.person;
    if (answer.surface == AnswerSurface::Relayed) {
        by = answer.elicited ? "assistant's dialog" : "assistant";
    }
    return {db, answer, policy, now_ms, std::move(approval), std::move(by), {}};
}

bool is_edit(const Answer& answer, const Approval& approval) {
    return answer.kind == AnswerKind::Approve && !answer.edited_reply_text.empty() &&
           answer.edited_reply_text != approval.reply_text;
}

Result<Refusal> check(store::Database& db, const Answer& answer, const Approval& approval,
                      const HumanSecrets& secrets, const Policy& policy, UnixMs now_ms) {
    // A repeated yes through the assistant gets the earlier answer. It does not get the error that
    // a code is missing or wrong, because an edit has changed the code of an answered approval.
    const bool is_through_assistant =
        answer.surface == AnswerSurface::Code || answer.surface == AnswerSurface::Relayed;
    if (is_through_assistant && approval.status != ApprovalStatus::Pending) {
        return check_open(db, answer, approval, now_ms);
    }
    A2H_ASSIGN_OR_RETURN(auto not_theirs, check_unproved(db, answer, approval, policy));
    if (not_theirs) return not_theirs;
    if (Refusal refused = check_edit(answer, approval)) return refused;
    A2H_ASSIGN_OR_RETURN(auto unproved, check_proof(db, answer, approval, secrets, policy, now_ms));
    if (unproved) return unproved;
    auto over = check_open(db, answer, approval, now_ms);
    if (!over || *over) return over;
    if (Refusal refused = check_vote(answer, approval)) return refused;
    if (Refusal refused = check_words(answer, approval)) return refused;
    if (answer.kind != AnswerKind::Approve) return Refusal();
    return check_shown(db, answer, approval, policy, now_ms);
}

Result<void> edit(Step& step) {
    const std::string before = step.approval.digest;
    const std::string text_before = step.approval.reply_text;
    step.approval = with_reply_text(step.approval, step.answer.edited_reply_text);
    A2H_TRY(name_own_offer(step.db, step.approval, step.now_ms));
    // The new words may be what a rule is about.
    if (step.approval.voters.empty()) A2H_TRY(set_voters(step.approval, step.policy.rules));
    if (!step.approval.voters.empty()) count_own_words(step.approval, step.answer.person);
    A2H_TRY(store::replace_approval_action(step.db, step.approval));
    A2H_TRY(forget_vote(step));
    return store::append_audit(
        step.db, step.approval.id, audit::kEdited,
        wire::text_object({{"by", step.answer.person},
                           {"proof", proof_of(step.answer)},
                           {"digest", step.approval.digest},
                           {"votes", std::to_string(step.approval.votes_needed)},
                           {"digest_before", before},
                           {"text_before", text_before}}),
        step.now_ms);
}

Result<void> release_reply(Step& step) {
    Approval& approval = step.approval;
    A2H_TRY(store::consume_approval(step.db, approval.id, step.now_ms));
    approval.outcome = ApprovalOutcome::Executed;
    approval.outcome_detail = "closed without an answer; nothing was sent";
    if (!approval.reply_text.empty() && !approval.peer_id.empty()) {
        std::string payload = payload_of_action(approval.action_json);
        const std::string effect_key = "approval:" + approval.id;
        A2H_ASSIGN_OR_RETURN(auto queued, payload.empty()
                                              ? queue_text(step, approval.reply_text, effect_key)
                                              : queue(step, std::move(payload), effect_key,
                                                      act_before_ms(approval.action_json)));
        approval.outcome_detail = "queued as " + queued;
    }
    A2H_TRY(store::finish_approval(step.db, approval.id, approval.outcome, approval.outcome_detail,
                                   step.now_ms));
    return store::append_audit(step.db, approval.id, audit::kConsumed,
                               wire::text_object({{"digest", approval.digest},
                                                  {"outcome", to_string(approval.outcome)},
                                                  {"detail", approval.outcome_detail}}),
                               step.now_ms);
}

Result<void> end_without(Step& step) {
    const Ending ending{.by = Ending::By::Answer,
                        .kind = step.answer.kind,
                        .words = step.answer.words,
                        .is_proved = step.answer.surface != AnswerSurface::Relayed};
    A2H_ASSIGN_OR_RETURN(step.result.next,
                         end_without_yes(step.db, step.approval, ending, step.policy, step.now_ms));
    return {};
}

Result<void> send_refusal(Step& step) {
    const bool proved = step.answer.surface != AnswerSurface::Relayed;
    if (!proved || step.approval.reject_text.empty() || step.approval.peer_id.empty()) return {};
    if (card::kind_of_option(step.approval, step.answer.words) == OptionKind::Close) return {};
    if (row_of(step.approval.action).says_no) {
        step.result.reply_queued = true;
        return {};
    }
    const std::string effect_key = "approval:" + step.approval.id + ":reject";
    std::string refusal = refusal_of_action(step.approval);
    A2H_ASSIGN_OR_RETURN(
        auto queued,
        refusal.empty()
            ? queue_text(step, step.approval.reject_text, effect_key)
            : queue(step, ending_offer(std::move(refusal), step.approval.action_json), effect_key));
    return store::append_audit(step.db, step.approval.id, "reject_text.queued",
                               wire::text_object({{"message_id", queued}}), step.now_ms);
}

Result<void> become_draft(Step& step) {
    if (!becomes_draft(step.answer, step.approval))
        return settle_job_of(step, "approval.job_instructed");
    A2H_ASSIGN_OR_RETURN(const bool leaves_offer, is_about_typed_offer(step.db, step.approval));
    Question next = draft(step, leaves_offer);
    next.seen_inbox_id = step.approval.seen_inbox_id;
    next.seen_other_id = step.approval.seen_other_id;
    next.seen_read_ms = step.approval.seen_read_ms;
    next.since_text = step.approval.since_text;
    next.also_text = step.approval.also_text;
    A2H_TRY(open_approval(step.db, next, step.policy, step.now_ms));
    A2H_TRY(store::append_audit(step.db, step.approval.id, "drafted",
                                wire::text_object({{"next", next.id}, {"digest", next.digest}}),
                                step.now_ms));
    step.result.next = std::move(next);
    return {};
}

Result<void> settle_job_of(Step& step, std::string_view key) {
    return settle_job(step.db, step.approval.job_id, i18n::text(step.policy.language, key),
                      step.now_ms);
}

Result<void> record_answer(Step& step) {
    Approval& approval = step.approval;
    approval.status = status_after(step.answer.kind);
    approval.answer_text = step.answer.words;
    approval.surface = step.answer.surface;
    approval.answered_by = step.by;
    approval.answered_at_ms = step.now_ms;
    A2H_TRY(store::answer_approval(step.db, approval));
    const std::string detail = wire::text_object({{"status", to_string(approval.status)},
                                                  {"surface", to_string(step.answer.surface)},
                                                  {"by", approval.answered_by},
                                                  {"proof", proof_of(step.answer)},
                                                  {"words", approval.answer_text},
                                                  {"digest", approval.digest}});
    return store::append_audit(step.db, approval.id, audit::kAnswered, detail, step.now_ms);
}

Result<void> record_event(Step& step) {
    const Event event = effects::new_event(
        step.approval.agent_id, "approval.answered", step.approval.id,
        wire::text_object({{"status", to_string(step.approval.status)},
                           {"outcome", to_string(step.approval.outcome)},
                           {"surface", to_string(step.answer.surface)},
                           {"peer_id", step.approval.peer_id},
                           {"next", step.result.next ? step.result.next->id : ""}}),
        step.now_ms);
    auto inserted = store::insert_event(step.db, event);
    return inserted ? Result<void>() : fail(inserted.error());
}

Result<void> stay_open(Step& step, std::string_view what) {
    A2H_ASSIGN_OR_RETURN(step.result.votes, recorded_votes(step.db, step.approval));
    const Event event = effects::new_event(
        step.approval.agent_id, what, step.approval.id,
        wire::text_object({{"by", step.by},
                           {"votes", std::to_string(step.result.votes.size())},
                           {"needed", std::to_string(step.approval.votes_needed)}}),
        step.now_ms);
    A2H_TRY(store::insert_event(step.db, event));
    step.result.approval = step.approval;
    return {};
}

Result<void> withdraw(Step& step) {
    A2H_TRY(
        store::withdraw_vote(step.db, step.approval.id, step.answer.person, step.approval.digest));
    A2H_TRY(store::append_audit(step.db, step.approval.id, audit::kVoteWithdrawn,
                                wire::text_object({{"by", step.answer.person},
                                                   {"proof", proof_of(step.answer)},
                                                   {"digest", step.approval.digest}}),
                                step.now_ms));
    if (agrees_by_own_words(step.approval) && step.answer.person == step.approval.asked_by) {
        count_no_words(step.approval);
        A2H_TRY(store::replace_approval_action(step.db, step.approval));
    }
    return stay_open(step, "approval.vote_withdrawn");
}

Result<void> ask_others(Step& step) {
    A2H_TRY(show(step.db, step.approval, step.policy, step.now_ms));
    return stay_open(step, "approval.edited");
}

Result<bool> is_last_vote(Step& step) {
    if (!needs_votes(step.approval)) return true;
    A2H_ASSIGN_OR_RETURN(const auto people,
                         cast_vote(step.db, step.approval, step.answer, step.now_ms));
    if (static_cast<int>(people.size()) < step.approval.votes_needed) return false;
    step.by.clear();
    for (const std::string& person : people)
        step.by += (step.by.empty() ? "" : ", ") + person;
    return true;
}

}  // namespace way

std::optional<Hidden> unseen_in(const Answer& answer) {
    const auto hidden = first_hidden(answer.words);
    return hidden ? hidden : first_hidden(answer.edited_reply_text);
}

Result<bool> trusts_dialog(store::Database& db, const Approval& approval, const Policy& policy) {
    const bool may_be_plain = policy.trust_elicitation && row_of(approval.action).answers_peer &&
                              !approval.amount_minor && approval.voters.empty();
    if (!may_be_plain || card::closes_without_answer(approval)) return may_be_plain;
    if (!sends_plain_words(approval)) return false;
    A2H_ASSIGN_OR_RETURN(const auto listings, store::list_listings(db, approval.agent_id));
    const store::Between between{
        .agent_id = approval.agent_id, .peer_id = approval.peer_id, .approval_id = approval.id};
    A2H_ASSIGN_OR_RETURN(const auto open, is_open(db, between, listings));
    return !open;
}

}  // namespace a2h::consent
