#include "daemon/consent/approvals.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/base/ids.h"
#include "core/domain/audit.h"
#include "core/i18n/normalize.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/wire/approval_secret.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/card/card.h"
#include "daemon/card/options.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/agreement.h"
#include "daemon/consent/job_state.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/renewal.h"
#include "daemon/consent/votes.h"
#include "daemon/consent/way_steps.h"
#include "daemon/effects/rows.h"
#include "daemon/notify/routing.h"

namespace a2h::consent {
namespace {

constexpr std::chrono::hours kUrgentWithin{2};
constexpr int kEscalatedAtOnce = 500;

template <std::size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The words that are a yes everywhere (R10).
constexpr std::array<std::string_view, 5> kYes{"approve", "accept", "接受", "同意", "批准"};

AnswerKind answer_by(OptionKind kind) {
    switch (kind) {
        case OptionKind::Yes:
            return AnswerKind::Approve;
        case OptionKind::No:
        case OptionKind::Close:
            return AnswerKind::Reject;
        case OptionKind::Counter:
        case OptionKind::Answer:
        case OptionKind::Other:
            break;
    }
    return AnswerKind::Option;
}

Result<Approval> expire_pending(store::Database& db, Approval approval, const Policy& policy,
                                UnixMs now_ms) {
    approval.status = ApprovalStatus::Expired;
    approval.surface = AnswerSurface::Clock;
    approval.answered_by = "clock";
    approval.answered_at_ms = now_ms;
    A2H_TRY(store::answer_approval(db, approval));
    A2H_TRY(end_without_yes(db, approval, {.by = Ending::By::Time}, policy, now_ms));
    A2H_TRY(settle_job(db, approval.job_id, i18n::text(policy.language, "approval.job_expired"),
                       now_ms));
    return approval;
}

Result<Approval> expire_unused(store::Database& db, Approval approval, UnixMs now_ms) {
    // Consumed first, so that nothing else can use the yes before the commit.
    approval.outcome = ApprovalOutcome::Expired;
    approval.outcome_detail = "approved, but not used before it expired";
    A2H_TRY(store::consume_approval(db, approval.id, now_ms));
    A2H_TRY(
        store::finish_approval(db, approval.id, approval.outcome, approval.outcome_detail, now_ms));
    return approval;
}

/// Ends an approval that nobody can act on any more: a question is cancelled, and an unused yes has
/// failed.
Result<Approval> end_unanswered(store::Database& db, Approval approval, std::string_view why,
                                const Policy& policy, UnixMs now_ms) {
    if (approval.status == ApprovalStatus::Approved) {
        approval.outcome = ApprovalOutcome::Failed;
        approval.outcome_detail = why;
        A2H_TRY(store::consume_approval(db, approval.id, now_ms));
        A2H_TRY(store::finish_approval(db, approval.id, approval.outcome, why, now_ms));
        return approval;
    }
    approval.status = ApprovalStatus::Cancelled;
    approval.surface = AnswerSurface::System;
    approval.answered_by = "system";
    approval.answer_text = why;
    approval.answered_at_ms = now_ms;
    A2H_TRY(store::answer_approval(db, approval));
    A2H_TRY(end_without_yes(db, approval, {.by = Ending::By::System}, policy, now_ms));
    A2H_TRY(settle_job(db, approval.job_id, why, now_ms));
    return approval;
}

Result<void> call_off_row(store::Database& db, const Approval& row, std::string_view why,
                          const Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto after, end_unanswered(db, row, why, policy, now_ms));
    const std::string detail = wire::text_object(
        {{"status", to_string(after.status)}, {"outcome", to_string(after.outcome)}, {"why", why}});
    A2H_TRY(store::append_audit(db, row.id, "cancelled", detail, now_ms));
    const Event event =
        effects::new_event(row.agent_id, "approval.cancelled", row.id, detail, now_ms);
    A2H_TRY(store::insert_event(db, event));
    return {};
}

Notification news_about(const Approval& approval, std::string_view kind) {
    Notification news;
    news.agent_id = approval.agent_id;
    news.approval_id = approval.id;
    news.kind = kind;
    news.priority = approval.priority;
    news.body_json = "{}";
    return news;
}

/// A substitute is asked later, unless their yes is needed in any case.
bool is_asked_first(const Approval& approval, const Policy& policy, const std::string& name) {
    const auto& voters = approval.voters;
    return !is_substitute(policy.people, name) ||
           std::find(voters.begin(), voters.end(), name) != voters.end();
}

/// Returns the people to ask next, and for whom: the substitutes of the people asked, or these
/// people once more if they have no substitute who may answer.
std::map<std::string, std::string> asked_next(const Approval& approval, const Policy& policy) {
    std::map<std::string, std::string> next;
    for (const Person& person : policy.people) {
        if (!is_asked_first(approval, policy, person.name)) continue;
        const bool stands_in = !person.substitute.empty() &&
                               !is_asked_first(approval, policy, person.substitute) &&
                               check_voter(approval, person.substitute);
        if (stands_in) {
            next.emplace(person.substitute, person.name);
        } else {
            next.emplace(person.name, "");
        }
    }
    return next;
}

Result<void> ask_next(store::Database& db, const Approval& approval, const Policy& policy,
                      UnixMs now_ms) {
    std::string names;
    for (const auto& [name, instead_of] : asked_next(approval, policy)) {
        Notification news = news_about(approval, kAskedKind);
        news.person = name;
        if (!instead_of.empty()) news.body_json = wire::text_object({{"instead_of", instead_of}});
        A2H_TRY(notify_person(db, news, policy, now_ms));
        names += (names.empty() ? "" : ", ") + name;
    }
    const std::string detail = wire::text_object({{"asked", names}});
    A2H_TRY(store::append_audit(db, approval.id, "escalated", detail, now_ms));
    const Event event =
        effects::new_event(approval.agent_id, "approval.escalated", approval.id, detail, now_ms);
    A2H_TRY(store::insert_event(db, event));
    return {};
}

/// Whether a yes would agree with the peer about a listing for the second time. The first agreement
/// stands, so only a person may say yes again (R52).
Result<bool> is_second_agreement(store::Database& db, const Approval& approval) {
    const MandateKind* kind = mandate_kind_of(approval);
    if (kind == nullptr || !kind->accepts_offer || !approval.amount_minor) return false;
    return has_standing_agreement(
        db, {approval.agent_id, approval.peer_id, ids_of_action(approval.action_json).works_id});
}

/// A mandate covers no words, wherever in a message they stand.
Result<bool> answers_plain_envelope(store::Database& db, const Question& question) {
    A2H_ASSIGN_OR_RETURN(
        const auto message,
        store::get_inbox(db, std::max(question.job_id, question.claims.accepts_inbox_id)));
    return !message ||
           has_plain_envelope(message->message_type, message->message_id, message->trace_id);
}

}  // namespace

bool is_of_assistant(const Approval& approval) {
    const std::string& by = approval.requested_by;
    return approval.asked_by.empty() && (by.starts_with("tool:") || by.starts_with("approval:"));
}

bool takes_words(const Approval& approval) {
    const ActionRow& row = row_of(approval.action);
    return row.answers_peer || row.is_awaited || !approval.requested_by.starts_with("rule:");
}

namespace way {

Priority priority_of(const Approval& approval, const Policy& policy, UnixMs now_ms) {
    const bool dear = policy.high_from_minor > 0 && approval.amount_minor &&
                      *approval.amount_minor >= policy.high_from_minor;
    const bool soon =
        approval.answer_by_ms - now_ms < std::chrono::milliseconds(kUrgentWithin).count();
    return dear || soon ? Priority::High : Priority::Normal;
}

Result<void> check_room(store::Database& db, const Approval& approval) {
    if (!is_of_assistant(approval)) return {};
    A2H_ASSIGN_OR_RETURN(const auto open, store::count_open_of_assistants(db));
    if (open < kOpenOfAssistantMax) return {};
    return fail(ErrorCode::ResourceExhausted,
                std::to_string(kOpenOfAssistantMax) +
                    " questions of assistants are already waiting for the human; ask again when "
                    "some of them are answered");
}

Result<std::optional<std::string>> mandate_for(store::Database& db, const Question& question,
                                               UnixMs now_ms) {
    // A yes that sends nothing would only remove the question.
    if (card::closes_without_answer(question)) return std::optional<std::string>();
    auto mandate = mandates::find_cover(db, question, now_ms);
    if (!mandate || !*mandate) return mandate;
    const std::int64_t accepted = question.claims.accepts_inbox_id;
    A2H_ASSIGN_OR_RETURN(const auto newer, has_newer(db, question, accepted));
    A2H_ASSIGN_OR_RETURN(const auto is_plain, answers_plain_envelope(db, question));
    if (newer || !is_plain) return std::optional<std::string>();
    A2H_ASSIGN_OR_RETURN(const auto second, is_second_agreement(db, question));
    if (second) return std::optional<std::string>();
    A2H_ASSIGN_OR_RETURN(const auto open, is_other_open(db, question, accepted));
    return open ? std::optional<std::string>() : std::move(*mandate);
}

Result<void> say_why_no_mandate(store::Database& db, Question& question, const Policy& policy,
                                UnixMs now_ms) {
    const auto say = [&](const char* key, const std::string& mandate_id) {
        question.question += " " + i18n::text(policy.language, key, {{"mandate", mandate_id}});
    };
    A2H_ASSIGN_OR_RETURN(const auto outdated, mandates::find_outdated(db, question, now_ms));
    if (outdated) say("approval.listing_changed", *outdated);
    A2H_ASSIGN_OR_RETURN(const auto resting, mandates::find_resting(db, question, now_ms));
    if (resting) say("approval.mandate_rests", *resting);
    A2H_ASSIGN_OR_RETURN(const auto second, is_second_agreement(db, question));
    if (second) say("approval.agreed_before", {});
    return {};
}

}  // namespace way

void set_peers(Ask& ask, std::vector<std::string> peer_ids) {
    const bool is_one = peer_ids.size() == 1;
    ask.peer_id = is_one ? peer_ids.front() : std::string();
    ask.peer_ids = is_one ? std::vector<std::string>() : std::move(peer_ids);
}

Question new_approval(const Ask& ask, const Policy& policy, UnixMs now_ms) {
    Question approval;
    approval.id = new_approval_id();
    approval.agent_id = ask.agent_id;
    approval.peer_id = ask.peer_id;
    approval.peer_ids = ask.peer_ids;
    approval.job_id = ask.job_id;
    approval.action = ask.action;
    approval.action_json = canonical_action(ask, policy.version);
    approval.digest = wire::sha256_hex(approval.action_json);
    approval.question = ask.question;
    approval.context = ask.context;
    for (const AnswerOption& option : ask.options)
        approval.options.push_back(option.label);
    approval.reply_text = ask.reply_text;
    approval.reject_text = ask.reject_text;
    approval.amount_minor = ask.amount_minor;
    approval.currency = ask.currency;
    approval.provenance = ask.provenance;
    approval.requested_by = ask.requested_by;
    approval.about = ask.about;
    approval.asked_by = ask.asked_by;
    approval.peer_text = ask.peer_text;
    approval.created_at_ms = now_ms;
    approval.answer_by_ms = now_ms + policy.answer_within.count();
    const UnixMs before_ms = act_before_ms(approval.action_json);
    if (before_ms > now_ms) approval.answer_by_ms = std::min(approval.answer_by_ms, before_ms);
    approval.act_by_ms = approval.answer_by_ms + policy.act_within.count();
    approval.claims = {ask.is_bounded, ask.has_own_listing, ask.listing_digest,
                       ask.continues_mandate, ask.accepts_inbox_id};
    return approval;
}

Result<void> store_question(store::Database& db, const Approval& approval, UnixMs now_ms) {
    A2H_TRY(store::insert_approval(db, approval));
    const std::string detail =
        wire::text_object({{"action", approval.action},
                           {"digest", approval.digest},
                           {"requested_by", approval.requested_by},
                           {"votes", std::to_string(approval.votes_needed)}});
    A2H_TRY(store::append_audit(db, approval.id, audit::kAsked, detail, now_ms));
    const Event event =
        effects::new_event(approval.agent_id, "approval.asked", approval.id, detail, now_ms);
    const auto inserted = store::insert_event(db, event);
    return inserted ? Result<void>() : fail(inserted.error());
}

Result<bool> is_covered(store::Database& db, Question question, const Policy& policy,
                        UnixMs now_ms) {
    A2H_TRY(set_voters(question, policy.rules));
    A2H_ASSIGN_OR_RETURN(const auto mandate, way::mandate_for(db, question, now_ms));
    return mandate.has_value();
}

Result<void> notify_human(store::Database& db, const Notification& news, const Policy& policy,
                          UnixMs now_ms) {
    return notify::route(db, news, policy.people, notify::Recipients::Everybody, now_ms);
}

Result<void> notify_asked(store::Database& db, const Approval& approval, std::string_view kind,
                          const Policy& policy, UnixMs now_ms, UnixMs not_before_ms) {
    std::vector<Person> asked = policy.people;
    if (approval.escalated_at_ms == 0) {
        std::erase_if(asked, [&](const Person& person) {
            return !is_asked_first(approval, policy, person.name);
        });
    }
    return notify::route(db, news_about(approval, kind), asked, notify::Recipients::Everybody,
                         now_ms, not_before_ms);
}

Result<void> notify_person(store::Database& db, const Notification& news, const Policy& policy,
                           UnixMs now_ms) {
    return notify::route(db, news, policy.people, notify::Recipients::NamedPerson, now_ms);
}

std::string approval_code(const HumanSecrets& secrets, const Approval& approval,
                          std::string_view person) {
    return wire::derive_code(secrets.link_key, {approval.id, approval.digest, person});
}

std::string approval_link_token(const HumanSecrets& secrets, const Approval& approval,
                                std::string_view person) {
    return wire::derive_link_token(secrets.link_key, {approval.id, approval.digest, person});
}

std::string pin_code(const HumanSecrets& secrets, std::string_view nonce, std::string_view person) {
    return wire::derive_code(secrets.link_key, {nonce, "pin", person});
}

std::string approval_button_token(const HumanSecrets& secrets, const Approval& approval,
                                  std::string_view person, AnswerKind choice) {
    return wire::derive_button_token(secrets.link_key, {approval.id, approval.digest, person},
                                     to_string(choice), approval.answer_by_ms);
}

AnswerKind understand_answer(const Approval& approval, std::string_view words) {
    static constexpr std::array<std::string_view, 6> kNo{"reject", "decline", "拒绝",
                                                         "不同意", "no",      "取消"};
    const std::string folded = i18n::fold(words);
    if (is_one_of(folded, kYes)) return AnswerKind::Approve;
    if (is_one_of(folded, kNo)) return AnswerKind::Reject;
    if (needs_votes(approval) && (folded == "withdraw" || folded == "撤回")) {
        return AnswerKind::Withdraw;
    }
    const bool option = std::any_of(approval.options.begin(), approval.options.end(),
                                    [&](const auto& text) { return i18n::fold(text) == folded; });
    return option && !folded.empty() ? answer_by(card::kind_of_option(approval, words))
                                     : AnswerKind::Instruct;
}

bool is_plain_yes(std::string_view words) {
    static constexpr std::array<std::string_view, 36> kYesWords{
        "yes",        "y",      "yep",      "yeah",     "ok",      "okay",      "sure",     "fine",
        "agree",      "agreed", "approved", "accepted", "confirm", "confirmed", "go ahead", "do it",
        "yes please", "deal",   "是",       "是的",     "好",      "好的",      "好吧",     "可以",
        "行",         "没问题", "确认",     "确定",     "答应",    "成交",      "我同意",   "嗯",
        "对",         "允许",   "通过",     "👍"};
    std::string folded = i18n::fold(words);
    for (const std::string_view end : {".", "!", "。", "~", "了", "啊"}) {
        while (folded.ends_with(end))
            folded.resize(folded.size() - end.size());
    }
    return is_one_of(folded, kYesWords) || is_one_of(folded, kYes);
}

Result<std::vector<Approval>> expire_overdue(store::Database& db, const Policy& policy,
                                             UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto overdue, store::overdue_approvals(db, now_ms));
    std::vector<Approval> expired;
    for (const Approval& row : overdue) {
        A2H_ASSIGN_OR_RETURN(auto after, row.status == ApprovalStatus::Pending
                                             ? expire_pending(db, row, policy, now_ms)
                                             : expire_unused(db, row, now_ms));
        const std::string detail = wire::text_object(
            {{"status", to_string(after.status)}, {"outcome", to_string(after.outcome)}});
        A2H_TRY(
            store::append_audit(db, row.id, to_string(ApprovalOutcome::Expired), detail, now_ms));
        const Event event =
            effects::new_event(row.agent_id, "approval.expired", row.id, detail, now_ms);
        A2H_TRY(store::insert_event(db, event));
        A2H_TRY(notify_asked(db, row, "approval.expired", policy, now_ms));
        expired.push_back(std::move(after));
    }
    return expired;
}

Result<void> call_off(store::Database& db, std::string_view approval_id, std::string_view why,
                      const Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto row, store::get_approval(db, approval_id));
    const bool is_live =
        row && (row->status == ApprovalStatus::Pending ||
                (row->status == ApprovalStatus::Approved && row->outcome == ApprovalOutcome::None));
    return is_live ? call_off_row(db, *row, why, policy, now_ms) : Result<void>();
}

Result<void> call_off_all(store::Database& db, std::string_view agent_id, std::string_view why,
                          const Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto open, store::live_approvals(db, agent_id));
    for (const Approval& row : open)
        A2H_TRY(call_off_row(db, row, why, policy, now_ms));
    return {};
}

Result<int> escalate(store::Database& db, const Policy& policy, UnixMs now_ms) {
    if (policy.escalate_after.count() == 0) return 0;
    A2H_ASSIGN_OR_RETURN(
        const auto waiting,
        store::not_escalated(db, now_ms - policy.escalate_after.count(), kEscalatedAtOnce));
    for (const Approval& approval : waiting) {
        A2H_TRY(store::mark_escalated(db, approval.id, now_ms));
        A2H_TRY(ask_next(db, approval, policy, now_ms));
    }
    return static_cast<int>(waiting.size());
}

}  // namespace a2h::consent
