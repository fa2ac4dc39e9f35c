// How decisions came about: of stored messages, and of what a peer might write next.

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/inbox_store.h"
#include "core/store/task_store.h"
#include "daemon/decide/explanation.h"
#include "daemon/decide/labelled.h"
#include "daemon/mail/snapshot.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kDecidedLimit = 100;

json basis_of(const Task& task) {
    json basis = json::parse(task.basis_json, nullptr, false);
    return basis.is_object() ? basis : json::object();
}

/// What was decided about one message.
json decided_json(const InboxMessage& message, const Task& task) {
    return {{"message_id", message.message_id},
            {"peer_id", message.sender_id},
            {"at", to_utc_time(message.received_at_ms)},
            {"provenance", to_string(message.provenance)},
            {"decision", task.decision},
            {"rule_id", task.rule_id},
            {"why", task.why},
            {"state", to_string(task.state)},
            {"basis", basis_of(task)}};
}

/// The message and its task as `task_id` names them, with what was known then.
Result<json> replayable(Runtime& runtime, const Agent& agent, const Task& task) {
    A2H_ASSIGN_OR_RETURN(const auto message,
                         store::get_inbox(runtime.context.reader, task.inbox_id));
    if (!message) return fail(ErrorCode::NotFound, "there is no such message");
    A2H_ASSIGN_OR_RETURN(const auto input,
                         mail::snapshot_of_then(runtime.context, agent, *message, task));
    json decided = decided_json(*message, task);
    decided["input"] = decide::labelled_json(input);
    decided["input"].erase("listings");  // the same for all
    return decided;
}

json listings_json(const Agent& agent) {
    decide::Input input;
    input.listings = agent.listings;
    return decide::labelled_json(input)["listings"];
}

}  // namespace

void handle_message_explain(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto refuse = [&](const Error& error) { reply(error_result(call.action, error)); };
    const Context& context = runtime.context;
    const auto message =
        store::find_inbox(context.reader, call.agent_id(), call.text("message_id"));
    if (!message) return refuse(message.error());
    if (!*message) return refuse({ErrorCode::NotFound, "there is no such message"});
    const auto task = store::get_task_of_inbox(context.reader, (*message)->id);
    if (!task) return refuse(task.error());
    if (!*task || (*task)->decision.empty()) {
        return refuse({ErrorCode::Conflict, "this message has not been decided yet"});
    }
    const auto input = mail::snapshot_of_then(context, call.agent, **message, **task);
    if (!input) return refuse(input.error());
    json data = decided_json(**message, **task);
    data["text"] = input->payload.text;
    data["now"] = decide::to_json(decide::explain(*input, context.rules, context.config->limits),
                                  context.rules);
    data["same_rules"] = data["basis"].value("playbook", "") == context.rules.version();
    reply(ok_result(call.action, std::move(data)));
}

void handle_message_decided(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto refuse = [&](const Error& error) { reply(error_result(call.action, error)); };
    UnixMs since_ms = 0;
    if (const std::string since = call.text("since"); !since.empty()) {
        const auto parsed = parse_time(since);
        if (!parsed) return refuse(parsed.error());
        since_ms = *parsed;
    }
    const int limit = call.number("limit", kDecidedLimit);
    const auto tasks = store::decided_tasks(runtime.context.reader, call.agent_id(),
                                            call.number("after_id", 0), since_ms, limit);
    if (!tasks) return refuse(tasks.error());
    json messages = json::array();
    for (const Task& task : *tasks) {
        auto message = replayable(runtime, call.agent, task);
        if (!message) return refuse(message.error());
        messages.push_back(std::move(*message));
    }
    reply(
        ok_result(call.action,
                  {{"messages", std::move(messages)},
                   {"listings", listings_json(call.agent)},
                   {"language", i18n::language_tag(runtime.context.config->approval.language)},
                   {"limits",
                    {{"rounds_per_day", runtime.context.config->limits.rounds_per_day},
                     {"messages_per_minute", runtime.context.config->limits.messages_per_minute}}},
                   {"last_id", tasks->empty() ? 0 : tasks->back().id},
                   {"more", static_cast<int>(tasks->size()) == limit}}));
}

void handle_playbook_context(Runtime& runtime, const Call& call, const Reply& reply) {
    InboxMessage message;
    message.agent_id = call.agent_id();
    message.sender_id = call.text("peer_id");
    message.message_type = "chat.request";
    message.provenance = Provenance::Verified;
    message.payload_json = "{}";
    const auto input = mail::take_snapshot(runtime.context, call.agent, message);
    if (!input) {
        reply(error_result(call.action, input.error()));
        return;
    }
    json data = decide::labelled_json(*input);
    data.erase("payload");
    reply(ok_result(call.action, std::move(data)));
}

}  // namespace a2h::operations
