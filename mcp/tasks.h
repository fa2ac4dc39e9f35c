#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "mcp/era.h"

namespace a2h::mcp {

constexpr const char* kTasksExtension = "io.modelcontextprotocol/tasks";

/// How far tool calls are that were answered with a task instead of a result. They live in this
/// process: a client that starts another one finds none of them there.
/// Thread: any.
/// Source: MCP extension io.modelcontextprotocol/tasks.
class Tasks {
  public:
    static constexpr std::size_t kTasksMax = 100;
    static constexpr std::chrono::hours kLifetime{1};

    /// Is told of each change with what tasks/get would answer.
    using Changed = std::function<void(const std::string& id, const nlohmann::ordered_json& task)>;

    /// `clock` outlives the object.
    Tasks(const a2h::Clock& clock, Changed changed);

    /// Whether the client with these `capabilities` takes tasks.
    static bool is_taken_by(const nlohmann::json& capabilities);
    /// The refusal for those that do not.
    static RpcError missing_capability();

    /// The id of a new task, which nobody can guess; nullopt when as many as may be are at work.
    std::optional<std::string> create();
    /// Forgets it: it was not begun after all.
    void remove(const std::string& id);
    bool knows(const std::string& id);

    /// What tools/call answers instead of its result.
    nlohmann::ordered_json handle(const std::string& id);
    /// The result of tools/call. Ignored after a cancellation.
    void finish(const std::string& id, const nlohmann::ordered_json& result);
    /// The task waits for the client's answers to `input_requests`.
    void ask(const std::string& id, const nlohmann::ordered_json& input_requests);
    /// It has them. False when the task does not wait for any.
    bool go_on(const std::string& id);

    /// tasks/get, tasks/cancel. Errors: InvalidParams for an unknown task.
    Outcome get(const std::string& id);
    Outcome cancel(const std::string& id);

  private:
    enum class Status { Working, InputRequired, Completed, Cancelled };
    struct Task {
        Status status = Status::Working;
        UnixMs created_ms = 0;
        UnixMs updated_ms = 0;
        std::string member;  ///< JSON text of the status' own member; empty: none
    };

    void sweep();
    /// Sets the status of a task that is not at its end, or is `from`, and tells it. False
    /// otherwise.
    bool move(const std::string& id, Status status, std::string member,
              std::optional<Status> from = {});
    static nlohmann::ordered_json to_json(const std::string& id, const Task& task);

    const a2h::Clock& clock_;
    const Changed changed_;
    std::mutex mutex_;
    std::map<std::string, Task> tasks_;
};

}  // namespace a2h::mcp
