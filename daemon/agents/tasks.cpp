#include "daemon/agents/tasks.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/i18n/messages.h"
#include "core/store/assignment_store.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/introduction_store.h"
#include "core/store/job_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/mandate_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "core/wire/task_messages.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/mail_rows.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/door.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/newer.h"
#include "daemon/effects/rows.h"
#include "daemon/outcome/requests.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

Result<void> insert_event(store::Database& db, const Assignment& task, std::string_view kind,
                          const json& detail, UnixMs now_ms) {
    const auto inserted =
        store::insert_event(db, effects::new_event(task.agent_id, kind, task.task_id,
                                                   wire::canonical_json(detail), now_ms));
    return inserted ? Result<void>() : fail(inserted.error());
}

std::string objective_of(const Assignment& task) {
    const json brief = json::parse(task.brief_json, nullptr, false);
    return preview(printable(wire::text_member(brief, "objective")));
}

/// The owner's own agents have files; agents that they created have rows.
Result<bool> is_owners_own(store::Database& db, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto local, store::get_local_agent(db, agent_id));
    return !local.has_value();
}

Result<void> notify_human_of_end(store::Database& db, const Assignment& task, const json& outcome,
                                 const consent::Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto own, is_owners_own(db, task.agent_id));
    if (!own) return {};
    const std::string key = "daemon.task_" + std::string(to_string(task.state));
    Notification news;
    news.agent_id = task.agent_id;
    news.kind = "task.ended";
    news.body_json = wire::canonical_json(json{
        {"text",
         i18n::text(policy.language, key,
                    {{"peer", task.peer_id},
                     {"objective", objective_of(task)},
                     {"summary", preview(printable(wire::text_member(outcome, "summary")))}})}});
    return consent::notify_human(db, news, policy, now_ms);
}

/// The share of a mandate that the worker received ends with its task.
Result<void> end_share(store::Database& db, const Assignment& task, UnixMs now_ms) {
    if (task.side != AssignmentSide::Taken || task.mandate_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto share, store::get_mandate(db, task.mandate_id));
    if (!share || share->revoked_at_ms != 0 || share->agent_id != task.agent_id) return {};
    // A task names a mandate. The giver may end it only if it is a share of the giver's own.
    A2H_ASSIGN_OR_RETURN(const auto whole, store::get_mandate(db, share->parent_mandate_id));
    if (!whole || whole->agent_id != task.peer_id) return {};
    return mandates::revoke(db, task.agent_id, task.mandate_id,
                            {share->given_by, AnswerSurface::System}, now_ms);
}

Result<void> change_own_side(store::Database& db, const OutboxMessage& message) {
    const auto type = parse_agent_message_type(message.message_type);
    if (!type) return {};
    json payload = json::parse(message.payload_json, nullptr, false);
    if (const auto fault = wire::fault_of(*type, payload)) {
        return fail(ErrorCode::InvalidArgument, wire::canonical_json(wire::to_json(*fault)));
    }
    payload = wire::normalized(*type, std::move(payload));
    return mail_row(*type).send(db, message, payload);
}

/// The same task from the side of the other agent of this home; nullopt if that agent belongs to
/// another home.
Result<std::optional<Assignment>> other_side(store::Database& db, const Assignment& task) {
    return store::get_assignment(db, task.peer_id, task.task_id, {task.agent_id, true});
}

/// Whether a question is about a message that its peer has certainly sent; nullopt if unknown.
std::optional<bool> is_sure(const Approval& approval) {
    const auto provenance = parse_provenance(approval.provenance);
    return provenance ? std::optional(is_authentic(*provenance)) : std::nullopt;
}

/// The task that a question is about. An unverifiable offer is a separate task (R49).
Result<std::optional<Assignment>> task_asked_about(store::Database& db, const Approval& approval,
                                                   const json& request) {
    return store::get_assignment(db, approval.agent_id, wire::text_member(request, "task_id"),
                                 {approval.peer_id, is_sure(approval)});
}

/// Skips the checks of `queue_mail`, because the message reports something that has already
/// happened.
Result<void> notify_peer(store::Database& db, const OutboxMessage& message) {
    const auto queued = consent::put_in_outbox(db, message);
    return queued ? Result<void>() : fail(queued.error());
}

Result<void> decline_offer(store::Database& db, const Approval& approval, const json& request,
                           bool notifies, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto task, task_asked_about(db, approval, request));
    if (!task || task->state != AssignmentState::Offered) return {};
    const std::string& why = approval.reject_text;
    const json outcome{{"task_id", task->task_id}, {"status", "failed"}, {"summary", why}};
    const std::string peer_id = task->peer_id;
    A2H_TRY(end_own_side(db, std::move(*task), AssignmentState::Declined, outcome, "", now_ms));
    if (!notifies || why.empty()) return {};
    return notify_peer(db, effects::new_mail(approval.agent_id, peer_id, "status_report", outcome,
                                             "approval:" + approval.id, now_ms));
}

Result<void> refuse_introduction(store::Database& db, const Approval& approval, const json& request,
                                 bool notifies, UnixMs now_ms) {
    const std::string id = wire::text_member(wire::member(request, "payload"), "request_id");
    A2H_ASSIGN_OR_RETURN(auto asked,
                         store::get_introduction(db, approval.agent_id, approval.peer_id,
                                                 IntroductionSide::Asked, id, is_sure(approval)));
    if (!asked || asked->state != IntroductionState::Open) return {};
    const std::string& why = approval.reject_text;
    asked->state = IntroductionState::Declined;
    asked->refusal = why;
    A2H_TRY(store::settle_introduction(db, *asked));
    if (!notifies) return {};
    const json answer{{"request_id", id}, {"introduced", false}, {"reason", why}};
    return notify_peer(
        db, effects::new_mail(approval.agent_id, approval.peer_id, "introduction_response", answer,
                              "approval:" + approval.id, now_ms));
}

/// The part that the history of a task keeps of a message between stages.
struct StageEntry {
    std::string_view kind;
    json detail;
};
/// nullopt if nothing is kept of it.
std::optional<StageEntry> stage_entry(const StageMessage& message) {
    if (message.type == to_string(wire::TaskMessageType::EvaluationResponse)) {
        const auto verdict =
            wire::read_task_message<wire::EvaluationResponse>(message.message_json);
        if (!verdict) return std::nullopt;
        return StageEntry{"evaluation", json{{"author", message.author},
                                             {"verdict", to_string(verdict->status)},
                                             {"score", verdict->score},
                                             {"next_action", to_string(verdict->next_action)}}};
    }
    if (message.type == to_string(wire::TaskMessageType::RetryEvent)) {
        const auto event = wire::read_task_message<wire::RetryEvent>(message.message_json);
        if (!event) return std::nullopt;
        return StageEntry{"retry", json{{"retry_count", event->retry_count}}};
    }
    return std::nullopt;
}

/// The task named by the message that is being answered, if its sender takes part in it.
Result<std::optional<Assignment>> task_named_by(store::Database& db, const StageCase& of) {
    A2H_ASSIGN_OR_RETURN(const auto job, store::get_job(db, of.job_id));
    if (!job) return std::optional<Assignment>();
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(db, job->inbox_id));
    if (!message) return std::optional<Assignment>();
    const json payload = json::parse(message->payload_json, nullptr, false);
    const json& task_id = wire::either_member(payload, "task_id");
    if (!task_id.is_string()) return std::optional<Assignment>();
    return store::get_assignment(db, of.agent_id, task_id.get<std::string>(), {of.peer_id, {}});
}

}  // namespace

Result<void> end_own_side(store::Database& db, Assignment task, AssignmentState state,
                          const json& outcome, std::string_view message_id, UnixMs now_ms) {
    task.state = state;
    task.outcome_json = wire::canonical_json(outcome);
    task.updated_at_ms = now_ms;
    A2H_TRY(store::move_assignment(db, task));
    A2H_TRY(end_share(db, task, now_ms));
    A2H_TRY(add_to_history(db, task, "ended", message_id,
                           json{{"state", to_string(state)}, {"outcome", outcome}}, now_ms));
    return insert_event(db, task, "task.ended",
                        json{{"state", to_string(state)}, {"peer_id", task.peer_id}}, now_ms);
}

Result<store::OutboxPlace> queue_mail(store::Database& db, const OutboxMessage& message) {
    A2H_TRY(change_own_side(db, message));
    return consent::put_in_outbox(db, message);
}

Result<store::OutboxPlace> queue_assignment(store::Database& db, OutboxMessage& message,
                                            const std::string& mandate_json) {
    A2H_ASSIGN_OR_RETURN(const auto share,
                         mandates::cut_share(db, message.agent_id, message.target_id, mandate_json,
                                             message.created_at_ms));
    json payload = json::parse(message.payload_json);
    payload["mandate_id"] = share.id;
    message.payload_json = wire::canonical_json(payload);
    return queue_mail(db, message);
}

Result<void> add_stages_to_history(store::Database& db, const StageCase& of,
                                   const std::vector<StageMessage>& messages) {
    std::optional<Assignment> task;
    for (const StageMessage& message : messages) {
        const auto entry = stage_entry(message);
        if (!entry) continue;
        if (!task) {
            A2H_ASSIGN_OR_RETURN(auto named, task_named_by(db, of));
            if (!named) return {};
            task = std::move(*named);
        }
        A2H_TRY(add_to_history(db, *task, entry->kind, "", entry->detail, message.created_at_ms));
    }
    return {};
}

Result<void> add_to_history(store::Database& db, const Assignment& task, std::string_view kind,
                            std::string_view message_id, const json& detail, UnixMs now_ms) {
    const auto added =
        store::add_assignment_entry(db, AssignmentEntry{.id = 0,
                                                        .agent_id = task.agent_id,
                                                        .task_id = task.task_id,
                                                        .kind = std::string(kind),
                                                        .message_id = std::string(message_id),
                                                        .detail_json = wire::canonical_json(detail),
                                                        .at_ms = now_ms,
                                                        .peer_id = task.peer_id,
                                                        .is_authentic = task.is_authentic});
    return added ? Result<void>() : fail(added.error());
}

Result<void> end_task(store::Database& db, Assignment task, AssignmentState state,
                      const json& outcome, std::string_view message_id,
                      const consent::Policy& policy, UnixMs now_ms) {
    A2H_TRY(end_own_side(db, task, state, outcome, message_id, now_ms));
    task.state = state;
    if (task.side != AssignmentSide::Given) return {};
    return notify_human_of_end(db, task, outcome, policy, now_ms);
}

Result<void> cancel_task(store::Database& db, const Assignment& task, const std::string& why,
                         const std::string& cause, const consent::Policy& policy, UnixMs now_ms) {
    if (is_final(task.state)) return {};
    const bool is_giver = task.side == AssignmentSide::Given;
    const json outcome{
        {"task_id", task.task_id}, {"status", is_giver ? "cancelled" : "failed"}, {"summary", why}};
    A2H_TRY(end_own_side(db, task, AssignmentState::Cancelled, outcome, "", now_ms));
    A2H_ASSIGN_OR_RETURN(auto other, other_side(db, task));
    if (other) {
        if (is_final(other->state)) return {};
        return end_task(db, std::move(*other), AssignmentState::Cancelled, outcome, "", policy,
                        now_ms);
    }
    // An id that an older version took in could be words.
    if (!is_wordless_id(task.task_id)) return {};
    return notify_peer(db, effects::new_mail(task.agent_id, task.peer_id, "status_report", outcome,
                                             cause, now_ms));
}

namespace {

Result<std::string> accept_offer(store::Database& db, const Approval& approval,
                                 const consent::Policy& /*policy*/, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto request, consent::arguments_of(approval));
    const std::string task_id = wire::text_member(request, "task_id");
    A2H_ASSIGN_OR_RETURN(auto task, task_asked_about(db, approval, request));
    if (!task || task->state != AssignmentState::Offered) {
        return fail(ErrorCode::Conflict, "task " + task_id + " is no longer offered");
    }
    Assignment taken = std::move(*task);
    taken.state = AssignmentState::Open;
    taken.updated_at_ms = now_ms;
    A2H_TRY(store::move_assignment(db, taken));
    A2H_TRY(add_to_history(db, taken, "accepted", "", json{{"approval_id", approval.id}}, now_ms));
    // Questions that an earlier version asked have no text.
    const std::string& words = approval.reply_text;
    const json report{{"task_id", task_id},
                      {"status", "in_progress"},
                      {"summary", words.empty() ? std::string("accepted") : words}};
    A2H_TRY(notify_peer(db, effects::new_mail(taken.agent_id, taken.peer_id, "status_report",
                                              report, "approval:" + approval.id, now_ms)));
    return task_id;
}

Result<std::optional<Approval>> end_offer(store::Database& db, const Approval& approval,
                                          const consent::Ending& ending,
                                          const consent::Policy& /*policy*/, UnixMs now_ms) {
    const std::optional<Approval> none;
    const auto request = consent::arguments_of(approval);
    if (!request || !ending.is_refusal()) return none;
    A2H_TRY(decline_offer(db, approval, *request, ending.is_no(), now_ms));
    return none;
}

/// Puts the approved message into the outbox, together with the share of a mandate that it gives.
Result<std::string> send_message(store::Database& db, const Approval& approval,
                                 const consent::Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto message, outcome::message_of_request(approval, now_ms));
    const std::string share = mandates::share_of_request(approval);
    A2H_TRY(share.empty() ? queue_mail(db, message) : queue_assignment(db, message, share));
    A2H_TRY(consent::close_answered(db, message, policy, now_ms));
    A2H_TRY(consent::close_plain_questions(db, approval, policy, now_ms));
    return message.message_id;
}

/// A no to the words of an assistant refuses these, and not the request for an introduction.
Result<std::optional<Approval>> end_message(store::Database& db, const Approval& approval,
                                            const consent::Ending& ending,
                                            const consent::Policy& /*policy*/, UnixMs now_ms) {
    const std::optional<Approval> none;
    const auto request = consent::arguments_of(approval);
    if (!request || !ending.is_refusal() || approval.reject_text.empty()) return none;
    if (wire::text_member(*request, "message_type") != "introduction_response") return none;
    A2H_TRY(refuse_introduction(db, approval, *request, ending.is_no(), now_ms));
    return none;
}

constexpr consent::MandateKind kMessages[] = {{mandate_kind("message.offer")},
                                              {mandate_kind("message.accept")}};

std::string_view mandate_of_message(const json& request) {
    const std::string type = wire::text_member(wire::member(request, "payload"), "type");
    const auto* found =
        std::find_if(std::begin(kMessages), std::end(kMessages),
                     [&](const consent::MandateKind& kind) { return kind.payload_type == type; });
    return found == std::end(kMessages) ? std::string_view() : found->name;
}

constexpr consent::ActionRow kActions[] = {
    {.action = kAcceptTask, .carry_out = accept_offer, .says_no = true, .end = end_offer},
    {.action = outcome::kSendAction,
     .mandates = kMessages,
     .mandate_of = mandate_of_message,
     .sends_words = true,
     .carry_out = send_message,
     .hidden_failure = mandates::hidden_share_failure,
     .says_no = true,
     .end = end_message},
    {.action = kSpawnAction, .hidden_failure = mandates::hidden_share_failure}};

constexpr consent::CauseRow kCauses[] = {
    {"spawn:", Right::Harmless, true},  // the brief of a new agent of this home
    {"stop:", Right::Fixed, true},      // the tasks of an agent that an assistant has stopped
    {"task:", Right::Fixed, false},     // the tasks of an agent that the owner has stopped
};

}  // namespace

void register_actions() {
    consent::register_actions(kActions);
    consent::register_causes(kCauses);
}

}  // namespace a2h::agents
