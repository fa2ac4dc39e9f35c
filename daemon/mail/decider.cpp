#include "daemon/mail/decider.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/order.h"
#include "core/store/inbox_store.h"
#include "core/store/task_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/bounded.h"
#include "daemon/decide/explanation.h"
#include "daemon/effects/rows.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/conversation_text.h"
#include "daemon/mail/snapshot.h"
#include "daemon/stages/incoming.h"
#include "daemon/stages/story.h"

namespace a2h::mail {
namespace {

std::string conversation_key(const std::string& agent_id, const std::string& peer_id) {
    return agent_id + " " + peer_id;
}

/// As the writer stores it with the message, whose id it shares.
Task new_task(const InboxMessage& message) {
    Task task;
    task.id = message.id;
    task.inbox_id = message.id;
    task.agent_id = message.agent_id;
    task.created_at_ms = message.received_at_ms;
    task.updated_at_ms = message.received_at_ms;
    return task;
}

/// A decision that would let unreviewed words leave becomes a question (R19), and so does one that
/// wants a draft when nobody drafts.
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

/// Nobody puts an order into our mouth in another's name: what we have named counts as proved.
std::string payload_of_reply(const InboxMessage& message, const decide::Decision& decision,
                             const std::string& text) {
    const bool names_matter =
        decision.kind == decide::Kind::Answer || is_authentic(message.provenance);
    return names_matter ? wire::text_payload(text, decision.order_id, decision.works_id)
                        : wire::text_payload(text);
}

consent::Later later_of(const Task& task, const InboxMessage& message,
                        const decide::Decision& decision, ClosedBy what) {
    return {.agent_id = message.agent_id,
            .peer_id = message.sender_id,
            .order_id = decision.order_id,
            .works_id = decision.works_id,
            .task_id = task.id,
            .provenance = message.provenance,
            .what = what,
            .is_offer = decide::is_about_terms(decision.rule_id),
            .at_ms = message.received_at_ms,
            .order_is_over = false,
            .next_id = {}};
}

/// `approval`, to be answered before the offer that it is about ends.
Approval answered_in_time(Approval approval, const std::string& payload_json) {
    const auto payload = nlohmann::json::parse(payload_json, nullptr, false);
    const auto until = parse_time(wire::text_member(payload, "valid_until"));
    const bool is_sooner =
        until && *until > approval.created_at_ms && *until < approval.answer_by_ms;
    if (!is_sooner) return approval;
    approval.act_by_ms -= approval.answer_by_ms - *until;
    approval.answer_by_ms = *until;
    return approval;
}

/// The market's news that an order was made, confirmed or given up.
std::optional<consent::Later> order_moved(const InboxMessage& message) {
    const auto payload = nlohmann::json::parse(message.payload_json, nullptr, false);
    const auto& order = wire::member(payload, "order");
    const auto state = parse_order_state(wire::text_member(order, "status"));
    const std::string peer_id = wire::text_member(order, "peerId");
    if (!state || peer_id.empty() || *state == OrderState::Paid || *state == OrderState::Completed)
        return std::nullopt;
    return consent::Later{
        .agent_id = message.agent_id,
        .peer_id = peer_id,
        .order_id = wire::text_member(order, "orderId"),
        .works_id = wire::text_member(order, "productId"),
        .task_id = 0,
        .provenance = std::nullopt,
        .what = ClosedBy::Order,
        .is_offer = false,
        .at_ms = 0,
        .order_is_over = *state == OrderState::Rejected || *state == OrderState::Cancelled,
        .next_id = {}};
}

/// What the message makes old: whatever is asked about it is asked instead of the question before,
/// and what nobody reads may change anything.
std::optional<consent::Later> later_than_asked(const Task& task, const InboxMessage& message,
                                               const decide::Decision& decision) {
    if (message.provenance == Provenance::Forged) return std::nullopt;
    if (message.source == SourceClass::Platform) return order_moved(message);
    if (message.source != SourceClass::Peer) return std::nullopt;
    if (decision.takes_back) return later_of(task, message, decision, ClosedBy::Withdrawal);
    const bool is_asked =
        decision.kind == decide::Kind::Ask || decision.kind == decide::Kind::NeedsDraft;
    if (is_asked) return later_of(task, message, decision, ClosedBy::NewerMessage);
    if (decision.rule_id == "guard.rate" || decision.rule_id == "guard.rounds")
        return later_of(task, message, decision, ClosedBy::UnreadMessage);
    return std::nullopt;
}

/// What the market itself tells is for the human: nobody answers it.
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

}  // namespace

Decider::Decider(const Context& context, Agents& agents, Authenticator& authenticator,
                 stages::Exchange& stages, house::AgentMail& mail, collab::DemandMail& demand_mail,
                 OnDecided on_decided, OnEffects on_effects)
    : context_(context),
      agents_(agents),
      authenticator_(authenticator),
      stages_(stages),
      mail_(mail),
      demand_mail_(demand_mail),
      on_decided_(std::move(on_decided)),
      on_effects_(std::move(on_effects)) {}

void Decider::kick() {
    behind_ = true;
    if (taken_ >= kTakenMax) return;
    const std::size_t room = kTakenMax - taken_;
    const auto tasks =
        store::pending_tasks(context_.reader, last_taken_id_, static_cast<int>(room));
    if (!tasks) {
        log::warning("Pending tasks could not be read", {{"error", tasks.error().message}});
        return;
    }
    behind_ = tasks->size() == room;
    for (const Task& task : *tasks) {
        const auto message = store::get_inbox(context_.reader, task.inbox_id);
        if (!message) {
            behind_ = true;
            return;
        }
        last_taken_id_ = task.id;
        if (*message) take(task, **message);
    }
}

void Decider::expect(const InboxMessage& message, EarlyDecision* early) {
    const auto agent = agents_.find(message.agent_id);
    const std::string conversation = conversation_key(message.agent_id, message.sender_id);
    std::optional<Thought> thought;
    if (agent != agents_.end() && !conversations_.contains(conversation) &&
        !stages::is_stage_message(message.message_type) && !mail_.takes(message) &&
        !collab::DemandMail::takes(message) && !authenticator_.is_needed(*agent->second, message)) {
        if (auto thinking = think(*agent->second, message)) thought = std::move(*thinking);
    }
    if (thought && early && can_decide_early(thought->decision, message) &&
        give(*early, message, *thought)) {
        return;
    }
    if (early) early->decline();
    if (thought) expected_ = std::move(thought);
}

/// Answers and silence: nothing of theirs but the message's own row is looked at once more when
/// they are written. What waits in the database is older and goes first.
bool Decider::can_decide_early(const decide::Decision& decision,
                               const InboxMessage& message) const {
    const bool is_plain =
        decision.kind == decide::Kind::Answer || decision.kind == decide::Kind::Silent;
    return is_plain && message.source != SourceClass::Platform && !stages_.takes(decision) &&
           !behind_ && taken_ < kTakenMax;
}

/// False when the writer no longer waits.
bool Decider::give(EarlyDecision& early, const InboxMessage& message, Thought& thought) {
    const Task task = new_task(message);
    auto job = std::make_shared<Job>();
    job->effects = effects_of(task, message, thought.input, thought.decision);
    // The copy is the writer's, so that the reply can be signed meanwhile.
    const auto write = [job, effects = job->effects, policy = policy_of(context_.config)](
                           store::Database& db, std::int64_t inbox_id) mutable -> Result<void> {
        outcome::set_task_id(effects, inbox_id);
        A2H_ASSIGN_OR_RETURN(auto places, stages::write_with_story(db, effects, *policy));
        job->places = std::move(places);
        return {};
    };
    A2H_FAULT_POINT("decide.2");
    if (!early.give(write)) return false;
    conversations_[conversation_key(message.agent_id, message.sender_id)].push_back(task);
    ++taken_;
    on_decided_(job->effects);
    early_[&early] = std::move(job);
    return true;
}

void Decider::decided(const InboxMessage& message, const EarlyDecision& early) {
    const auto node = early_.extract(&early);
    A2H_CHECK(!node.empty());
    Job& job = *node.mapped();
    outcome::set_task_id(job.effects, message.id);
    if (!behind_) last_taken_id_ = std::max(last_taken_id_, message.id);
    expected_.reset();
    count_arrival(*agents_.at(message.agent_id), message, job.effects.task->updated_at_ms);
    A2H_FAULT_POINT("effects.3");
    on_effects_(job.effects, job.places);
    finish(conversation_key(message.agent_id, message.sender_id));
}

void Decider::withdraw(const InboxMessage& message, const EarlyDecision& early) {
    if (early_.erase(&early) > 0) finish(conversation_key(message.agent_id, message.sender_id));
}

/// The thought of `expect`, if it was about this very message. Every decision forgets it, so that
/// it cannot be older than what happened last in its conversation.
Result<Decider::Thought> Decider::thought_about(const InboxMessage& message) {
    auto expected = std::exchange(expected_, std::nullopt);
    const bool same = expected && expected->input.message.agent_id == message.agent_id &&
                      expected->input.message.envelope_json == message.envelope_json &&
                      expected->input.message.provenance == message.provenance;
    if (same) return std::move(*expected);
    return think(*agents_.at(message.agent_id), message);
}

void Decider::accept(const InboxMessage& message) {
    if (message.id <= last_taken_id_) return;  // `kick` has seen it in the database already
    if (behind_ || taken_ >= kTakenMax) {
        kick();
        return;
    }
    last_taken_id_ = message.id;
    take(new_task(message), message);
}

void Decider::take(Task task, const InboxMessage& message) {
    if (!agents_.contains(task.agent_id)) return;
    const std::string conversation = conversation_key(task.agent_id, message.sender_id);
    auto& queue = conversations_[conversation];
    queue.push_back(task);
    ++taken_;
    if (queue.size() == 1) authenticate_then_decide(conversation, std::move(task), message);
}

void Decider::start(const std::string& conversation) {
    const auto found = conversations_.find(conversation);
    if (found == conversations_.end()) return;
    const Task task = found->second.front();
    auto message = store::get_inbox(context_.reader, task.inbox_id);
    if (!message || !*message) {
        retry_later(conversation);
        return;
    }
    authenticate_then_decide(conversation, task, std::move(**message));
}

void Decider::authenticate_then_decide(const std::string& conversation, Task task,
                                       InboxMessage message) {
    const Agent& agent = *agents_.at(task.agent_id);
    if (!authenticator_.is_needed(agent, message)) {
        decide_one(conversation, task, message);
        return;
    }
    authenticator_.authenticate(
        agent, message,
        [this, conversation, task = std::move(task), message](Provenance provenance) mutable {
            message.provenance = provenance;
            decide_one(conversation, task, message);
        });
}

Result<Decider::Thought> Decider::think(Agent& agent, const InboxMessage& message) const {
    A2H_ASSIGN_OR_RETURN(auto input, take_snapshot(context_, agent, message));
    decide::Decision decision;
    if (message.provenance == Provenance::Forged) {
        decision.rule_id = "guard.forged";
        decision.why = i18n::text(context_.config->approval.language, "daemon.why_forged");
    } else {
        decision = decide::decide(input, context_.rules, context_.config->limits);
        hold_back_unreviewed(decision, input, stages_.can_draft());
    }
    return Thought{std::move(input), std::move(decision)};
}

void Decider::decide_one(const std::string& conversation, const Task& task,
                         const InboxMessage& message) {
    A2H_FAULT_POINT("decide.1");
    const auto done = [this, conversation](const Result<void>& result) {
        written(conversation, result);
    };
    if (stages::is_stage_message(message.message_type)) {
        stages_.receive(task, message, done);
        return;
    }
    if (collab::DemandMail::takes(message)) {
        expected_.reset();
        demand_mail_.receive(task, message, done);
        return;
    }
    if (mail_.takes(message)) {
        expected_.reset();
        mail_.receive(task, message, done);
        return;
    }
    auto thought = thought_about(message);
    if (!thought) {
        log::warning("A message could not be decided yet", {{"error", thought.error().message}});
        retry_later(conversation);
        return;
    }
    count_arrival(*agents_.at(task.agent_id), message, thought->input.now_ms);
    if (stages_.takes(thought->decision)) {
        stages_.open(task, thought->input, std::move(thought->decision), done);
        return;
    }
    commit(conversation, effects_of(task, message, thought->input, std::move(thought->decision)));
}

outcome::Effects Decider::effects_of(const Task& task, const InboxMessage& message,
                                     const decide::Input& input, decide::Decision decision) const {
    outcome::Effects effects;
    effects.task = task;
    effects.task->rule_id = decision.rule_id;
    effects.task->decision = decide::to_string(decision.kind);
    effects.task->why = decision.why;
    effects.task->basis_json =
        decide::basis_json(input, decision, context_.rules, context_.config->limits);
    effects.task->updated_at_ms = input.now_ms;
    effects.task->state = TaskState::Done;

    const std::string cause = "rule:" + decision.rule_id;
    const auto queue_text = [&](const std::string& text, const std::string& effect_key) {
        auto reply = effects::new_outbox_message(message.agent_id, message.sender_id,
                                                 payload_of_reply(message, decision, text),
                                                 message.trace_id, cause, input.now_ms);
        reply.effect_key = effect_key;
        effects.outbox.push_back(std::move(reply));
    };
    const std::string task_key = outcome::task_effect_key(task.id);
    nlohmann::json detail{
        {"peer_id", message.sender_id},        {"provenance", to_string(message.provenance)},
        {"text", preview(input.payload.text)}, {"decision", decide::to_string(decision.kind)},
        {"rule_id", decision.rule_id},         {"why", decision.why}};
    if (decision.kind == decide::Kind::Answer) {
        queue_text(decision.reply_text, task_key);
        detail["reply"] = preview(decision.reply_text);
    }
    if (decision.kind == decide::Kind::Ask) {
        effects.task->state = TaskState::WaitingForHuman;
        const consent::Ask ask{
            .agent_id = message.agent_id,
            .peer_id = message.sender_id,
            .task_id = task.id,
            .action = decision.action,
            .request_json = {},
            .reply_text = decision.reply_text,
            .reject_text = decision.reject_text,
            .order_id = decision.order_id,
            .works_id = decision.works_id,
            .amount_minor = decision.amount_minor,
            .currency = decision.currency,
            .question = decision.question,
            .context = conversation_text(input.recent, &input, context_.config->approval.language),
            .options = decision.options,
            .provenance = std::string(to_string(message.provenance)),
            .requested_by = cause,
            .asked_by = {},
            .is_bounded = decision.is_plain_offer &&
                          mandates::is_bounded_offer(
                              nlohmann::json::parse(message.payload_json, nullptr, false), true),
            .peer_text = whole_message(message.payload_json),
        };
        const Approval approval =
            answered_in_time(consent::new_approval(ask, context_.config->approval, input.now_ms),
                             message.payload_json);
        detail["approval_id"] = approval.id;
        effects.word = bargain::word_of(message, decision, input.now_ms);
        effects.approval = approval;
        if (!decision.holding_text.empty()) queue_text(decision.holding_text, task_key + ":hold");
    }
    effects.later = later_than_asked(task, message, decision);
    if (message.source == SourceClass::Platform)
        take_news(effects, message, input.payload.text, input.now_ms);
    effects.events.push_back(effects::new_event(message.agent_id, "message.decided",
                                                message.message_id, wire::canonical_json(detail),
                                                input.now_ms));
    return effects;
}

void Decider::commit(const std::string& conversation, outcome::Effects effects) {
    auto job = std::make_shared<Job>(Job{std::move(effects), {}});
    // The writer may change what a question comes with, so that is looked at before it can.
    const bool may_change = job->effects.approval.has_value();
    if (may_change) on_decided_(job->effects);
    A2H_FAULT_POINT("decide.3");
    context_.write(
        store::Writer::Priority::Grouped,
        [job, policy = policy_of(context_.config)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto places, stages::write_with_story(db, job->effects, *policy));
            job->places = std::move(places);
            return {};
        },
        [this, conversation, job](const Result<void>& result) {
            A2H_FAULT_POINT("effects.3");
            if (result) on_effects_(job->effects, job->places);
            written(conversation, result);
        });
    if (!may_change) on_decided_(job->effects);
}

void Decider::written(const std::string& conversation, const Result<void>& result) {
    // A conflict: decided before, the row says so.
    if (result || result.error().code == ErrorCode::Conflict) {
        finish(conversation);
    } else {
        retry_later(conversation);
    }
}

void Decider::finish(const std::string& conversation) {
    const auto found = conversations_.find(conversation);
    found->second.pop_front();
    --taken_;
    if (found->second.empty()) {
        conversations_.erase(found);
    } else {
        start(conversation);
    }
    if (behind_ && taken_ < kTakenMax / 2) kick();
}

void Decider::retry_later(const std::string& conversation) {
    context_.loop.call_after(kRetryDelay, [this, conversation] { start(conversation); });
}

}  // namespace a2h::mail
