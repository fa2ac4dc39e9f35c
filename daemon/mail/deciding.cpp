#include "daemon/mail/deciding.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/bounded.h"
#include "daemon/consent/deal_acts.h"
#include "daemon/consent/renewal.h"
#include "daemon/deals/news.h"
#include "daemon/decide/explanation.h"
#include "daemon/decide/guards.h"
#include "daemon/effects/rows.h"
#include "daemon/mail/acceptance.h"
#include "daemon/mail/conversation_text.h"
#include "daemon/mail/snapshot.h"

namespace a2h::mail {
namespace {

constexpr std::string_view kLateRule = "guard.late";

/// A decision that would send unreviewed words becomes a question (R19). So does a decision that
/// needs a draft if there is no drafter.
void hold_back_unreviewed(decide::Decision& decision, const decide::Input& input, bool can_draft) {
    if (decision.kind != decide::Kind::Answer && decision.kind != decide::Kind::NeedsDraft) return;
    if (decision.kind == decide::Kind::NeedsDraft && can_draft) return;
    if (decision.kind == decide::Kind::Answer &&
        decide::review_text(decision.reply_text, input.listings).free) {
        return;
    }
    decision.kind = decide::Kind::Ask;
    if (decision.question.empty()) {
        decision.question = i18n::text(input.owner_language, "daemon.question_unclear",
                                       {{"peer", input.message.sender_id}});
    }
}

/// A message that arrives out of order may be withdrawn by one that arrived before it. A person is
/// shown both; no agreement or mandate follows from it, and it closes no question. Questions about
/// facts are still answered.
void leave_late_to_human(decide::Decision& decision, const decide::Input& input) {
    decision.takes_back = false;
    if (decision.kind != decide::Kind::Ask && decision.kind != decide::Kind::NeedsDraft) return;
    decide::Decision late;
    late.kind = decide::Kind::Ask;
    late.rule_id = kLateRule;
    late.why = i18n::text(input.owner_language, "daemon.why_late");
    late.question = i18n::text(input.owner_language, "daemon.question_late",
                               {{"peer", input.message.sender_id}});
    late.order_id = decision.order_id;
    late.works_id = decision.works_id;
    late.basis = std::move(decision.basis);
    late.acts = std::move(decision.acts);
    decision = std::move(late);
}

/// Nobody can make us name an order in another's name, because what we have named counts as proved.
std::string payload_of_reply(const InboxMessage& message, const decide::Decision& decision,
                             const std::string& text) {
    const bool names_matter =
        decision.kind == decide::Kind::Answer || is_authentic(message.provenance);
    return names_matter ? wire::text_payload(text, decision.order_id, decision.works_id)
                        : wire::text_payload(text);
}

consent::Later later_of(const Job& job, const InboxMessage& message,
                        const decide::Decision& decision, ClosedBy what) {
    return {.agent_id = message.agent_id,
            .peer_id = message.sender_id,
            .order_id = decision.order_id,
            .works_id = decision.works_id,
            .job_id = job.id,
            .provenance = message.provenance,
            .what = what,
            .is_offer = decision.about == About::Terms,
            .at_ms = message.received_at_ms,
            .next_id = {},
            .closes = nullptr};
}

/// `approval` with a deadline before the end of the offer that it is about.
consent::Question answered_in_time(consent::Question approval, const std::string& payload_json) {
    const auto payload = nlohmann::json::parse(payload_json, nullptr, false);
    const auto until = parse_time(wire::text_member(payload, "valid_until"));
    const bool is_sooner =
        until && *until > approval.created_at_ms && *until < approval.answer_by_ms;
    if (!is_sooner) return approval;
    approval.act_by_ms -= approval.answer_by_ms - *until;
    approval.answer_by_ms = *until;
    return approval;
}

/// A yes to an offer of its own type accepts exactly this offer. Without that there is no draft,
/// because words would agree to something that the market does not know.
void accept_or_ask(store::Database& db, const InboxMessage& message, consent::Ask& ask,
                   i18n::Language language, UnixMs now_ms) {
    const auto accepts = accept_by_yes(db, message, ask, now_ms);
    if (accepts && *accepts) return;
    ask.reply_text.clear();
    ask.options.clear();
    ask.question += i18n::text(language, "decide.sentence_gap") +
                    i18n::text(language, "daemon.question_offer_over");
}

/// The questions that the message makes out of date: a new question replaces them, and an unread
/// message may change anything.
std::optional<consent::Later> later_than_asked(const Job& job, const InboxMessage& message,
                                               const decide::Decision& decision) {
    if (message.provenance == Provenance::Forged) return std::nullopt;
    if (message.source == SourceClass::Platform)
        return consent::later_by_news(message.agent_id, message.payload_json);
    if (message.source != SourceClass::Peer) return std::nullopt;
    if (decision.rule_id == kLateRule) return std::nullopt;
    if (decision.takes_back) return later_of(job, message, decision, ClosedBy::Withdrawal);
    const bool is_asked =
        decision.kind == decide::Kind::Ask || decision.kind == decide::Kind::NeedsDraft;
    if (is_asked) return later_of(job, message, decision, ClosedBy::NewerMessage);
    if (decide::is_limit(decision.rule_id))
        return later_of(job, message, decision, ClosedBy::UnreadMessage);
    return std::nullopt;
}

/// News of the market are for the human and get no answer.
void take_news(outcome::Effects& effects, const InboxMessage& message, const std::string& text,
               UnixMs now_ms) {
    Notification news;
    news.agent_id = message.agent_id;
    news.kind = "market.news";
    news.body_json = wire::canonical_json(nlohmann::json{{"text", preview(text)}});
    news.created_at_ms = now_ms;
    effects.news = news;
    if (message.provenance != Provenance::Forged) effects.market_news = message.payload_json;
}

/// What the market's news do in the deal that they are about.
void take_market_acts(outcome::Effects& effects, const InboxMessage& message) {
    if (message.provenance == Provenance::Forged) return;
    auto news = deals::read_news(message);
    if (!news) return;
    effects.named = std::move(news->named);
    effects.acts = std::move(news->acts);
}

/// What the message does in its deal.
void take_acts(outcome::Effects& effects, const InboxMessage& message,
               const decide::Decision& decision) {
    if (message.source == SourceClass::Platform) return take_market_acts(effects, message);
    if (message.source != SourceClass::Peer) return;
    effects.named = deals::named_in(message);
    if (effects.named.works_id.empty()) effects.named.works_id = decision.works_id;
    effects.acts = consent::said_by_peer(decision.acts, message);
}

}  // namespace

Result<decide::Input> Deciding::snapshot(const InboxMessage& message) const {
    const auto agent = agents_.find(message.agent_id);
    if (agent == agents_.end())
        return fail(ErrorCode::NotFound, "a2hd does not serve agent " + message.agent_id);
    return take_snapshot(kernel_, rules_, config_->approval.language, *agent->second, message);
}

decide::Decision Deciding::decision_for(const decide::Input& input, bool can_draft) const {
    const auto config = config_.get();
    decide::Decision decision;
    if (input.message.provenance == Provenance::Forged) {
        decision.rule_id = "guard.forged";
        decision.why = i18n::text(config->approval.language, "daemon.why_forged");
        return decision;
    }
    decision = decide::decide(input, rules_, config->limits);
    hold_back_unreviewed(decision, input, can_draft);
    if (input.is_late) leave_late_to_human(decision, input);
    return decision;
}

consent::Question Deciding::question(const Job& job, const decide::Input& input,
                                     const decide::Decision& decision) const {
    const InboxMessage& message = input.message;
    const auto config = config_.get();
    consent::Ask ask{
        .agent_id = message.agent_id,
        .peer_id = message.sender_id,
        .job_id = job.id,
        .action = decision.action,
        .request_json = {},
        .reply_text = decision.reply_text,
        .reject_text = decision.reject_text,
        .order_id = decision.order_id,
        .works_id = decision.works_id,
        .amount_minor = decision.amount_minor,
        .currency = decision.currency,
        .question = decision.question,
        .context = conversation_text(input.recent, &input, config->approval.language),
        .options = decision.options,
        .provenance = std::string(to_string(message.provenance)),
        .requested_by = "rule:" + decision.rule_id,
        .about = decision.about,
        .asked_by = {},
        .is_bounded = decision.is_plain_offer &&
                      mandates::is_for_sale(input.listings, decision.works_id) &&
                      mandates::is_bounded_offer(
                          nlohmann::json::parse(message.payload_json, nullptr, false), true),
        .peer_text = whole_message(consent::all_said_in(message)),
    };
    if (decision.accepts_offer) {
        accept_or_ask(kernel_.reader, message, ask, config->approval.language, input.now_ms);
    }
    return answered_in_time(consent::new_approval(ask, config->approval, input.now_ms),
                            message.payload_json);
}

outcome::Effects Deciding::effects_of(const Job& job, const InboxMessage& message,
                                      const decide::Input& input, decide::Decision decision) const {
    outcome::Effects effects;
    effects.job = job;
    effects.job->rule_id = decision.rule_id;
    effects.job->decision = decide::to_string(decision.kind);
    effects.job->why = decision.why;
    effects.job->basis_json = decide::basis_json(input, decision, rules_, config_->limits);
    effects.job->updated_at_ms = input.now_ms;
    effects.job->state = JobState::Done;

    const std::string cause = "rule:" + decision.rule_id;
    const auto queue_text = [&](const std::string& text, const std::string& effect_key) {
        auto reply = effects::new_outbox_message(message.agent_id, message.sender_id,
                                                 payload_of_reply(message, decision, text),
                                                 message.trace_id, cause, input.now_ms);
        reply.effect_key = effect_key;
        effects.outbox.push_back(std::move(reply));
    };
    const std::string job_key = outcome::job_effect_key(job.id);
    nlohmann::json detail{
        {"peer_id", message.sender_id},        {"provenance", to_string(message.provenance)},
        {"text", preview(input.payload.text)}, {"decision", decide::to_string(decision.kind)},
        {"rule_id", decision.rule_id},         {"why", decision.why}};
    if (decision.kind == decide::Kind::Answer) {
        queue_text(decision.reply_text, job_key);
        detail["reply"] = preview(decision.reply_text);
    }
    if (decision.kind == decide::Kind::Ask) {
        effects.job->state = JobState::WaitingForHuman;
        const consent::Question approval = question(job, input, decision);
        detail["approval_id"] = approval.id;
        effects.step = consent::step_of(message, decision, input.now_ms);
        effects.approval = approval;
        if (!decision.holding_text.empty()) queue_text(decision.holding_text, job_key + ":hold");
    }
    effects.later = later_than_asked(job, message, decision);
    take_acts(effects, message, decision);
    if (message.source == SourceClass::Platform)
        take_news(effects, message, input.payload.text, input.now_ms);
    effects.events.push_back(effects::new_event(message.agent_id, "message.decided",
                                                message.message_id, wire::canonical_json(detail),
                                                input.now_ms));
    return effects;
}

}  // namespace a2h::mail
