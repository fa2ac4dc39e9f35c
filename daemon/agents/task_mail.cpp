#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/assignment_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/mail_rows.h"
#include "daemon/agents/tasks.h"
#include "daemon/card/card.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

/// The number of undecided offers of this peer; authentic and unproved ones are counted separately
/// (R49).
Result<int> count_offers(const Taking& taking) {
    A2H_ASSIGN_OR_RETURN(
        const auto live,
        store::live_assignments(taking.db, taking.message.agent_id, AssignmentSide::Taken));
    return static_cast<int>(std::count_if(live.begin(), live.end(), [&](const Assignment& each) {
        return each.state == AssignmentState::Offered && each.peer_id == taking.message.sender_id &&
               each.is_authentic == taking.is_proved();
    }));
}

Result<void> offer_task(Taking& taking, const Assignment& task) {
    consent::Ask ask =
        new_ask(taking, kAcceptTask,
                json{{"task_id", task.task_id}, {"task_brief", taking.payload["task_brief"]}});
    ask.question = taking.text(
        "daemon.question_task_offered",
        {{"peer", task.peer_id},
         {"objective",
          preview(printable(wire::text_member(taking.payload["task_brief"], "objective")))}});
    ask.reply_text = taking.text("daemon.task_offer_accepted");
    // An id that an older version took in could be words, so it is not repeated.
    if (is_wordless_id(task.task_id)) ask.reject_text = taking.text("daemon.task_offer_declined");
    json besides = taking.payload;
    besides.erase("task_id");
    besides.erase("task_brief");
    const std::string under = taking.text("demand.label.besides");
    ask.context = card::received_in_words(besides, taking.policy.language, under);
    ask_human(taking, ask);
    return {};
}

/// Whether a task that was accepted has this id; an offer alone does not use the id up. For an
/// authentic offer only authentic tasks count.
Result<bool> is_id_used(const Taking& taking, const std::string& task_id) {
    const store::TaskOwner whose{.is_authentic =
                                     taking.is_proved() ? std::optional(true) : std::nullopt};
    A2H_ASSIGN_OR_RETURN(const auto task,
                         store::get_assignment(taking.db, taking.message.agent_id, task_id, whose));
    return task && task->state != AssignmentState::Offered &&
           task->state != AssignmentState::Declined;
}

Result<void> take_assignment(Taking& taking) {
    const std::string id = taking.member("task_id");
    A2H_ASSIGN_OR_RETURN(const auto known,
                         store::get_assignment(taking.db, taking.message.agent_id, id,
                                               {taking.message.sender_id, taking.is_proved()}));
    // An agent that was made with exactly this task has it already.
    if (known) return {};
    A2H_ASSIGN_OR_RETURN(const auto used, is_id_used(taking, id));
    if (used) return ignore(taking, "daemon.agent_used_id");
    Assignment task;
    task.is_authentic = taking.is_proved();
    task.task_id = id;
    task.agent_id = taking.message.agent_id;
    task.peer_id = taking.message.sender_id;
    task.side = AssignmentSide::Taken;
    task.brief_json = wire::canonical_json(taking.payload["task_brief"]);
    task.state = taking.is_from_this_home ? AssignmentState::Open : AssignmentState::Offered;
    if (taking.is_from_this_home) task.mandate_id = taking.member("mandate_id");
    task.created_at_ms = taking.now_ms;
    task.updated_at_ms = taking.now_ms;
    if (!taking.is_from_this_home) {
        A2H_ASSIGN_OR_RETURN(const auto offers, count_offers(taking));
        if (offers >= kOpenRequestsOfPeerMax) return ignore(taking, "daemon.agent_too_many");
    }
    A2H_TRY(store::insert_assignment(taking.db, task));
    A2H_TRY(add_to_history(taking.db, task, "assigned", taking.message.message_id,
                           json{{"from", task.peer_id}}, taking.now_ms));
    return taking.is_from_this_home ? Result<void>() : offer_task(taking, task);
}

/// The final state that a report of `reporter` gives the task: its worker, who has taken it, ends
/// it; its assigner cancels it.
std::optional<AssignmentState> end_of(const std::string& status, AssignmentSide reporter) {
    if (reporter == AssignmentSide::Given) {
        return status == "cancelled" ? std::optional(AssignmentState::Cancelled) : std::nullopt;
    }
    if (status == "completed") return AssignmentState::Completed;
    return status == "failed" ? std::optional(AssignmentState::Failed) : std::nullopt;
}

Result<void> take_report(Taking& taking) {
    if (!taking.is_proved()) return ignore(taking, "daemon.agent_unproved");
    A2H_ASSIGN_OR_RETURN(auto task, task_named(taking));
    if (!task) return ignore(taking, "daemon.agent_unknown");
    taking.detail["task_id"] = task->task_id;
    A2H_TRY(add_to_history(taking.db, *task, "report", taking.message.message_id, taking.payload,
                           taking.now_ms));
    const auto reporter =
        task->side == AssignmentSide::Taken ? AssignmentSide::Given : AssignmentSide::Taken;
    const auto end = end_of(taking.member("status"), reporter);
    if (!end || is_final(task->state)) return {};
    return end_task(taking.db, std::move(*task), *end, taking.payload, taking.message.message_id,
                    taking.policy, taking.now_ms);
}

// The changes that a message about a task makes for its sender.

Result<Assignment> task_with(store::Database& db, const OutboxMessage& message,
                             const std::string& task_id) {
    A2H_ASSIGN_OR_RETURN(
        auto task, store::get_assignment(db, message.agent_id, task_id, {message.target_id, {}}));
    if (!task) {
        return fail(ErrorCode::NotFound,
                    message.agent_id + " has no task " + task_id + " with " + message.target_id);
    }
    return std::move(*task);
}

Result<void> give_task(store::Database& db, const OutboxMessage& message, const json& payload) {
    Assignment task;
    task.task_id = wire::text_member(payload, "task_id");
    task.agent_id = message.agent_id;
    task.peer_id = message.target_id;
    task.side = AssignmentSide::Given;
    task.brief_json = wire::canonical_json(wire::member(payload, "task_brief"));
    task.mandate_id = wire::text_member(payload, "mandate_id");
    task.created_at_ms = message.created_at_ms;
    task.updated_at_ms = message.created_at_ms;
    const std::string whole = wire::text_member(payload, "parent_task_id");
    if (!whole.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto parent, store::get_assignment(db, message.agent_id, whole));
        if (parent) task.parent_task_id = whole;
    }
    A2H_ASSIGN_OR_RETURN(const auto known, store::get_assignment(db, task.agent_id, task.task_id));
    if (known)
        return fail(ErrorCode::Conflict, "the task id " + task.task_id + " is already in use");
    A2H_TRY(store::insert_assignment(db, task));
    return add_to_history(db, task, "assigned", message.message_id, json{{"to", task.peer_id}},
                          message.created_at_ms);
}

Result<void> report(store::Database& db, const OutboxMessage& message, const json& payload) {
    A2H_ASSIGN_OR_RETURN(auto task, task_with(db, message, wire::text_member(payload, "task_id")));
    if (task.state == AssignmentState::Offered || is_final(task.state)) {
        return fail(ErrorCode::Conflict,
                    "task " + task.task_id + " is " + std::string(to_string(task.state)));
    }
    A2H_TRY(add_to_history(db, task, "report", message.message_id, payload, message.created_at_ms));
    const auto end = end_of(wire::text_member(payload, "status"), task.side);
    if (!end) return {};
    return end_own_side(db, std::move(task), *end, payload, message.message_id,
                        message.created_at_ms);
}

constexpr MailRow kTaskMail[] = {{AgentMessageType::TaskAssignment, take_assignment, give_task},
                                 {AgentMessageType::StatusReport, take_report, report}};

}  // namespace

std::span<const MailRow> task_mail() {
    return kTaskMail;
}

}  // namespace a2h::agents
