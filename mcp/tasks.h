#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "mcp/version.h"

namespace a2h::mcp {

constexpr const char* kTasksExtension = "io.modelcontextprotocol/tasks";

/// The state of tool calls that were answered with a task instead of a result. Tasks exist only in
/// this process, so another process of the client does not find them.
///
/// Thread:  any.
/// Source:  MCP extension io.modelcontextprotocol/tasks.
class Tasks {
  public:
    static constexpr std::size_t kTasksMax = 100;
    static constexpr std::chrono::hours kLifetime{1};

    /// Called for each change with the result of tasks/get.
    using Changed = std::function<void(const std::string& id, const nlohmann::ordered_json& task)>;

    /// `clock` must outlive the object.
    Tasks(const a2h::Clock& clock, Changed changed);

    /// Whether the client with these `capabilities` supports tasks.
    static bool is_taken_by(const nlohmann::json& capabilities);
    /// The refusal for clients that do not.
    static RpcError missing_capability();

    /// The id of a new task, which cannot be guessed; nullopt if the limit of running tasks is
    /// reached.
    std::optional<std::string> create();
    /// Removes it, because it was not started.
    void remove(const std::string& id);
    bool knows(const std::string& id);

    /// The answer of tools/call in place of its result.
    nlohmann::ordered_json handle(const std::string& id);
    /// The result of tools/call, or the refusal in its place. Ignored after a cancellation.
    void finish(const std::string& id, const Outcome& outcome);
    /// The task waits for the client's answers to `input_requests`, an object.
    void ask(const std::string& id, const nlohmann::ordered_json& input_requests);
    /// Stores the answers in `responses` and ignores other members. Returns all answers together
    /// once none is missing; the task is then running again.
    std::optional<nlohmann::json> take_answers(const std::string& id,
                                               const nlohmann::json& responses);

    /// tasks/get, tasks/cancel.
    ///
    /// Errors:  InvalidParams for an unknown task.
    Outcome get(const std::string& id);
    Outcome cancel(const std::string& id);

  private:
    enum class Status { Working, InputRequired, Completed, Failed, Cancelled };
    struct Task {
        Status status = Status::Working;
        UnixMs created_ms = 0;
        UnixMs updated_ms = 0;
        std::string member;          ///< JSON text of the member that the status has; empty: none
        std::string answers = "{}";  ///< JSON text: the client's answers so far

        bool is_over() const {
            return status != Status::Working && status != Status::InputRequired;
        }
    };

    void sweep();
    /// Sets the status of a task that has not ended, and reports it.
    void move(const std::string& id, Status status, std::string member);
    static nlohmann::ordered_json to_json(const std::string& id, const Task& task);

    const a2h::Clock& clock_;
    const Changed changed_;
    std::mutex mutex_;
    std::map<std::string, Task> tasks_;
};

}  // namespace a2h::mcp
