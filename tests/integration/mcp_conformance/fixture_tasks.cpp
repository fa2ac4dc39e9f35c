// Tools that answer with a task, and what the client asks about tasks.
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/integration/mcp_conformance/fixture.h"

namespace a2h::test {
namespace {

using mcp::Outcome;
using mcp::RpcCode;
using mcp::RpcError;
using mcp::Tasks;
using nlohmann::json;
using nlohmann::ordered_json;

/// Runs a tool on its arguments and the client's answers so far. An object with the member
/// `inputRequests` asks for more.
using Job = Outcome (*)(const json& arguments, const json& answers, std::stop_token cancelled);

struct TaskTool {
    const char* name;
    bool only_as_task;
    Job run;
};

Outcome said(const std::string& text, bool is_error = false) {
    return ordered_json{{"content", {{{"type", "text"}, {"text", text}}}}, {"isError", is_error}};
}

void rest(double seconds, std::stop_token cancelled) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, cancelled, std::chrono::duration<double>(seconds), [] { return false; });
}

Outcome compute(const json& arguments, const json&, std::stop_token cancelled) {
    rest(arguments.value("seconds", 0.0), std::move(cancelled));
    return said("Computed " + arguments.value("label", "it") + ".");
}

Outcome fail_as_tool(const json&, const json&, std::stop_token cancelled) {
    rest(1, std::move(cancelled));
    return said("This job always fails.", true);
}

Outcome fail_as_protocol(const json&, const json&, std::stop_token) {
    return RpcError{RpcCode::InternalError, "this job breaks the protocol", {}};
}

Outcome confirm(const json&, const json& answers, std::stop_token) {
    if (!answers.contains("confirm")) {
        return ordered_json{{"inputRequests", {{"confirm", question("Delete?", "ok", "boolean")}}}};
    }
    return said("Answered: " + answers["confirm"].value("action", ""));
}

Outcome ask_twice(const json&, const json& answers, std::stop_token) {
    if (answers.empty()) {
        return ordered_json{{"inputRequests",
                             {{"first", question("First?", "text", "string")},
                              {"second", question("Second?", "text", "string")}}}};
    }
    return said("Both answered.");
}

Outcome greet_later(const json&, const json& answers, std::stop_token cancelled) {
    rest(0.2, std::move(cancelled));
    const json content = answers.value("user_name", json::object()).value("content", json());
    return said("Hello, " + (content.is_object() ? content.begin().value().dump() : "you") + "!");
}

constexpr TaskTool kTaskTools[] = {
    {"slow_compute", false, compute},
    {"failing_job", true, fail_as_tool},
    {"protocol_error_job", false, fail_as_protocol},
    {"confirm_delete", true, confirm},
    {"multi_input", true, ask_twice},
    {"test_tool_with_task", true, greet_later},
};

const TaskTool* find_task_tool(const json& params) {
    const std::string name = params.value("name", "");
    for (const TaskTool& tool : kTaskTools) {
        if (name == tool.name) return &tool;
    }
    return nullptr;
}

/// Does the tool's work and stores the result in the task.
void run_task(Tasks& tasks, const std::string& id, const json& params, const json& answers,
              std::stop_token cancelled) {
    if (cancelled.stop_requested()) return;
    Outcome outcome = find_task_tool(params)->run(params.value("arguments", json::object()),
                                                  answers, std::move(cancelled));
    auto* result = std::get_if<ordered_json>(&outcome);
    if (result != nullptr && result->contains("inputRequests")) {
        return tasks.ask(id, (*result)["inputRequests"]);
    }
    if (result != nullptr) (*result)["resultType"] = "complete";
    tasks.finish(id, outcome);
}

}  // namespace

ordered_json fixture_task_tools() {
    ordered_json tools = ordered_json::array();
    for (const TaskTool& tool : kTaskTools) {
        tools.push_back({{"name", tool.name},
                         {"description", "What the conformance scenarios want of it"},
                         {"inputSchema", {{"type", "object"}}}});
    }
    return tools;
}

bool Fixture::call_task_tool(const mcp::Message& message, mcp::Version version,
                             const Reply& reply) {
    const json& params = *message.params;
    const TaskTool* tool = find_task_tool(params);
    if (tool == nullptr || !mcp::is_modern(version)) return false;
    json capabilities = params.at("_meta").at(std::string(mcp::kClientCapabilitiesKey));
    if (!Tasks::is_taken_by(capabilities)) {
        if (tool->only_as_task) {
            reply(mcp::error_line(message.id, Tasks::missing_capability()));
            return true;
        }
        protocol_.answer_later(message, version, reply,
                               [tool, given = message.params](std::stop_token cancelled) {
                                   return tool->run(given->value("arguments", json::object()),
                                                    json::object(), std::move(cancelled));
                               });
        return true;
    }
    json answers = json::object();
    if (tool->run == greet_later) {
        // The tool asks for missing input first, and the call becomes a task once it has it.
        const Call call{&params, version, &capabilities, {}};
        const json rounds = {{{"user_name", question("Your name?", "name", "string")}}};
        Outcome asked = ask_in_rounds(call, rounds, true, answers);
        const auto* result = std::get_if<ordered_json>(&asked);
        if (result == nullptr || !result->is_null()) {
            reply(mcp::Protocol::answer(message.id, std::move(asked), version));
            return true;
        }
    }
    const std::string id = tasks_.create().value();
    auto handle = tasks_.handle(id);
    begin_task(id, message.params, answers);
    reply(mcp::Protocol::answer(message.id, std::move(handle), version));
    return true;
}

void Fixture::begin_task(const std::string& id, std::shared_ptr<const json> params,
                         const json& answers) {
    {
        const std::lock_guard lock(mutex_);
        task_params_[id] = params;
    }
    const bool queued = protocol_.calls().submit(
        "task " + id, [this, id, params = std::move(params), answers](std::stop_token cancelled) {
            run_task(tasks_, id, *params, answers, std::move(cancelled));
        });
    if (!queued) tasks_.finish(id, mcp::Protocol::too_many_requests());
}

Outcome Fixture::answer_about_task(const std::string& method, const json& params) {
    if (!Tasks::is_taken_by(params.at("_meta").at(std::string(mcp::kClientCapabilitiesKey)))) {
        return Tasks::missing_capability();
    }
    const std::string id = params.value("taskId", "");
    if (method == "tasks/get") return tasks_.get(id);
    if (method == "tasks/cancel") {
        protocol_.calls().cancel("task " + id);
        return tasks_.cancel(id);
    }
    if (!tasks_.knows(id)) return mcp::invalid_params("Unknown task");
    const auto answers = tasks_.take_answers(id, params.value("inputResponses", json::object()));
    if (answers) {
        std::shared_ptr<const json> of_task;
        {
            const std::lock_guard lock(mutex_);
            of_task = task_params_[id];
        }
        begin_task(id, std::move(of_task), *answers);
    }
    return ordered_json::object();
}

}  // namespace a2h::test
