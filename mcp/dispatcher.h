#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "mcp/completion.h"
#include "mcp/prompts.h"
#include "mcp/protocol.h"
#include "mcp/remembered.h"
#include "mcp/resources.h"
#include "mcp/subscriptions.h"
#include "mcp/tasks.h"
#include "mcp/tool_calls.h"

namespace a2h::mcp {

/// The methods of a2h-mcp. What is in memory is answered at once; what may wait for a2hd runs on
/// `Calls`.
///
/// Thread:  the reader's for `take_line`, then one for the end; `write` is called from any.
class Dispatcher : private Methods {
  public:
    using Write = Protocol::Write;

    /// `agent` is the local agent to act for; empty: the daemon's default. Tools outside `toolsets`
    /// are neither listed nor called. Without `change_count` every call goes to a2hd.
    Dispatcher(Write write, CallDaemon call_daemon, std::string agent,
               Toolsets toolsets = Toolsets::everyday(), ChangeCount change_count = {});

    void take_line(std::string_view text) { protocol_.take_line(text); }
    void take_line(const InputLine& line) { protocol_.take_line(line); }
    /// Reads until the end of input; `read` passes lines to `take_line`.
    void read_to_end(Calls::Read read) { protocol_.calls().read_to_end(std::move(read)); }
    /// The client sends nothing more: ends its streams and dialogs, and answers its calls that only
    /// wait for something with the present state.
    void end_input();
    /// After `end_input`: waits for the running calls, or until `deadline`. False: some still run.
    bool wait_for_calls(std::chrono::steady_clock::time_point deadline);

  private:
    using Handler = void (Dispatcher::*)(const Message&, Version, const Reply&);
    struct Method {
        std::string_view name;
        bool legacy;
        bool modern;
        Handler handler;
    };
    static const Method kMethods[];
    /// The key of a task's calls in `Calls`; no request's `id_key` has this form.
    static std::string task_key(const std::string& id) { return "task " + id; }
    /// The data that tasks/update needs to continue the task.
    struct PausedTask {
        ToolCall call;
        std::shared_ptr<const nlohmann::ordered_json> input_required;
    };

    bool take_request(const Message& message, Version version, const Reply& reply) override;
    bool refuse_request(const Message& message, Version version, const Reply& reply) override;
    void take_response(const Message& message) override { tools_.take_response(message); }
    void take_cancellation(const std::string& key) override { subscriptions_.cancel(key); }

    // one function for each method
    void initialize(const Message& message, Version version, const Reply& reply);
    void ping(const Message& message, Version version, const Reply& reply);
    void discover(const Message& message, Version version, const Reply& reply);
    void list_tools(const Message& message, Version version, const Reply& reply);
    void call_tool(const Message& message, Version version, const Reply& reply);
    void list_resources(const Message& message, Version version, const Reply& reply);
    void list_templates(const Message& message, Version version, const Reply& reply);
    void read_resource(const Message& message, Version version, const Reply& reply);
    void subscribe(const Message& message, Version version, const Reply& reply);
    void unsubscribe(const Message& message, Version version, const Reply& reply);
    void listen(const Message& message, Version version, const Reply& reply);
    void list_prompts(const Message& message, Version version, const Reply& reply);
    void get_prompt(const Message& message, Version version, const Reply& reply);
    void complete(const Message& message, Version version, const Reply& reply);
    void get_task(const Message& message, Version version, const Reply& reply);
    void update_task(const Message& message, Version version, const Reply& reply);
    void cancel_task(const Message& message, Version version, const Reply& reply);

    bool shows_dialogs(const Message& message, Version version) const;
    /// The result of `call`, however it was requested.
    nlohmann::ordered_json carry_out(const ToolCall& call, std::stop_token cancelled);
    /// Returns the result of `carry_out`, which is remembered for later calls if possible.
    Outcome run_tool(const ToolCall& call, std::stop_token cancelled);
    /// Answers with a task instead of a result. False if no task is possible.
    bool begin_task(const Message& message, const ToolCall& call, const Reply& reply);
    bool run_task(const std::string& id, const ToolCall& call);
    /// Continues a task whose questions were answered.
    void resume_task(const std::string& id, const nlohmann::json& answers);
    /// The task id of a tasks/… request, or the refusal.
    std::variant<std::string, RpcError> task_id(const Message& message) const;

    const SystemClock clock_;
    std::stop_source input_ended_;
    ToolCalls tools_;
    Remembered remembered_;
    const Resources resources_;
    const Prompts prompts_;
    Completion completion_;
    Subscriptions subscriptions_;
    Tasks tasks_;
    std::mutex paused_mutex_;
    std::map<std::string, PausedTask> paused_;  ///< tasks that wait for input of the client
    bool session_shows_dialogs_ = false;        ///< used only by the reader's thread
    Protocol protocol_;                         ///< last, because its calls use the members above
};

}  // namespace a2h::mcp
