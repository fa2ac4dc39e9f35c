#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/assignment_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "core/wire/task_messages.h"
#include "daemon/agents/local_agents.h"
#include "daemon/consent/mandates.h"
#include "daemon/operations/briefs.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/sender.h"
#include "daemon/operations/typed_mail.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

using AssignmentsParts = Sender;

constexpr int kTasksShown = 20;
/// The most history entries in one answer: more than any task of people has.
constexpr int kEntriesShown = 1'000;

json json_of_text(const std::string& text) {
    return text.empty() ? json() : json::parse(text, nullptr, false);
}

json assignment_json(const Assignment& task) {
    json shown{{"task_id", task.task_id},
               {"side", to_string(task.side)},
               {"peer_id", task.peer_id},
               {"state", to_string(task.state)},
               {"objective", wire::text_member(json_of_text(task.brief_json), "objective")},
               {"created_at", to_utc_time(task.created_at_ms)},
               {"updated_at", to_utc_time(task.updated_at_ms)}};
    if (!task.parent_task_id.empty()) shown["parent_task_id"] = task.parent_task_id;
    if (!task.mandate_id.empty()) shown["mandate_id"] = task.mandate_id;
    return shown;
}

json story_entry_json(const AssignmentEntry& entry) {
    json shown{{"at", to_utc_time(entry.at_ms)}, {"kind", entry.kind}};
    if (!entry.message_id.empty()) shown["message_id"] = entry.message_id;
    if (json detail = json_of_text(entry.detail_json); !detail.is_null()) shown["detail"] = detail;
    return shown;
}

/// The task that the call names. If there is none, answers the call.
std::optional<Assignment> task_of(const AssignmentsParts& parts, const Call& call,
                                  const Reply& reply) {
    const std::string task_id = call.text("task_id");
    auto task = store::get_assignment(parts.kernel.reader, call.agent_id(), task_id);
    if (!task) {
        reply(error_result(call.action, task.error()));
        return std::nullopt;
    }
    if (!*task) {
        reply(error_result(call.action, {ErrorCode::NotFound, "this agent has no task " + task_id},
                           "Call a2h_task_list."));
    }
    return std::move(*task);
}

/// Refuses a change that only the other side of the task may make, or after its end.
bool may_move(const Call& call, const Assignment& task, AssignmentSide side, const Reply& reply) {
    if (task.side != side) {
        const std::string who = side == AssignmentSide::Taken ? "taken" : "given";
        reply(error_result(
            call.action, {ErrorCode::PermissionDenied, "this agent has not " + who + " that task"},
            "Only the worker reports, and only the giver cancels."));
        return false;
    }
    if (!is_final(task.state)) return true;
    reply(error_result(call.action, {ErrorCode::Conflict, "the task has ended already: " +
                                                              std::string(to_string(task.state))}));
    return false;
}

void answer_with(const Call& call, const Assignment& task,
                 const std::vector<AssignmentEntry>& story, const Reply& reply) {
    json data = assignment_json(task);
    data["brief"] = json_of_text(task.brief_json);
    data["outcome"] = json_of_text(task.outcome_json);
    data["story"] = json::array();
    for (const AssignmentEntry& entry : story)
        data["story"].push_back(story_entry_json(entry));
    reply(ok_result(call.action, std::move(data)));
}

/// Sends a status_report to the other side of `task`, which updates the task on both sides.
void report_on(const AssignmentsParts& parts, const Call& call, const Assignment& task,
               const json& report, std::string_view state, const Reply& reply) {
    send_typed(parts, call,
               {.target_id = task.peer_id,
                .type = AgentMessageType::StatusReport,
                .payload_json = report.dump(),
                .needs_yes = wire::needs_yes(AgentMessageType::StatusReport, report),
                .data_json = json{{"task_id", task.task_id}, {"task_state", state}}.dump()},
               reply);
}

void handle_task_assign(const AssignmentsParts& parts, const Call& call, const Reply& reply) {
    const auto brief = read_brief(call, reply);
    if (!brief) return;
    const std::string target_id = parts.residents.address_of(call.text("target_agent_id"));
    if (target_id == call.agent_id()) {
        reply(error_result(call.action,
                           {ErrorCode::InvalidArgument, "an agent cannot give itself a task"}));
        return;
    }
    const auto mandate = call.arguments.find("mandate");
    const bool may_spend = mandate != call.arguments.end();
    if (may_spend && !parts.residents.is_ours(target_id)) {
        reply(error_result(
            call.action,
            {ErrorCode::PermissionDenied,
             "a mandate is only for agents of this home; " + target_id + " is not one"},
            "Give the task without it; the human is asked about its cost."));
        return;
    }
    if (may_spend) {
        const auto fits = mandates::check_wanted(mandate->dump(), parts.kernel.clock.now_ms());
        if (!fits) return reply(error_result(call.action, fits.error()));
    }
    json payload{{"task_id", wire::new_uuid()}, {"task_brief", wire::write_task_brief(*brief)}};
    const std::string parent = call.text("parent_task_id");
    if (!parent.empty()) payload["parent_task_id"] = parent;
    send_typed(parts, call,
               {.target_id = target_id,
                .type = AgentMessageType::TaskAssignment,
                .payload_json = payload.dump(),
                .needs_yes = wire::needs_yes(AgentMessageType::TaskAssignment, payload),
                .mandate_json = may_spend ? mandate->dump() : std::string(),
                .data_json = json{{"task_id", payload["task_id"]}, {"task_state", "open"}}.dump()},
               reply);
}

void handle_task_report(const AssignmentsParts& parts, const Call& call, const Reply& reply) {
    const auto task = task_of(parts, call, reply);
    if (!task || !may_move(call, *task, AssignmentSide::Taken, reply)) return;
    if (task->state == AssignmentState::Offered) {
        reply(error_result(call.action, {ErrorCode::Conflict, "the task waits for the human's yes"},
                           "Call a2h_approval_list."));
        return;
    }
    const std::string status = call.text("status");
    json report{{"task_id", task->task_id}, {"status", status}, {"summary", call.text("summary")}};
    if (call.arguments.contains("result")) report["result"] = call.arguments.at("result");
    const bool ends = status == "completed" || status == "failed";
    report_on(parts, call, *task, report, ends ? status : "open", reply);
}

void handle_task_cancel(const AssignmentsParts& parts, const Call& call, const Reply& reply) {
    const auto task = task_of(parts, call, reply);
    if (!task || !may_move(call, *task, AssignmentSide::Given, reply)) return;
    const std::string reason = call.text("reason");
    report_on(parts, call, *task,
              {{"task_id", task->task_id},
               {"status", "cancelled"},
               {"summary", reason.empty() ? "The giver has cancelled this task." : reason}},
              "cancelled", reply);
}

Result<json> handle_task_list(const AssignmentsParts& parts, const Call& call) {
    store::AssignmentFilter filter;
    filter.side = parse_assignment_side(call.text("side"));
    filter.state = parse_assignment_state(call.text("state"));
    A2H_ASSIGN_OR_RETURN(
        const auto page,
        store::list_assignments(parts.kernel.reader, call.agent_id(), filter,
                                call.number("before", 0), call.number("limit", kTasksShown)));
    json data{{"items", wire::array_of(page.items, assignment_json)},
              {"more", page.next_before != 0}};
    if (page.next_before != 0) data["next_before"] = page.next_before;
    return data;
}

void handle_task_get(const AssignmentsParts& parts, const Call& call, const Reply& reply) {
    const auto task = task_of(parts, call, reply);
    if (!task) return;
    const auto story = store::assignment_story(parts.kernel.reader, *task, 0, kEntriesShown);
    if (!story) {
        reply(error_result(call.action, story.error()));
        return;
    }
    answer_with(call, *task, *story, reply);
}

}  // namespace

void add_assignments(Table& table, const AllParts& all) {
    const AssignmentsParts& parts = all.sender;
    table.add("task.assign", with(parts, handle_task_assign));
    table.add("task.report", with(parts, handle_task_report));
    table.add("task.cancel", with(parts, handle_task_cancel));
    table.add("task.list", with(parts, handle_task_list));
    table.add("task.get", with(parts, handle_task_get));
}

}  // namespace a2h::operations
