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
    /// The result of tools/call, or the refusal that it would have been. Ignored after a
    /// cancellation.
    void finish(const std::string& id, const Outcome& outcome);
    /// The task waits for the client's answers to `input_requests`, an object.
    void ask(const std::string& id, const nlohmann::ordered_json& input_requests);
    /// Takes what `responses` answer of that and passes over the rest. All answers together when
    /// none is missing any more: the task is at work again.
    std::optional<nlohmann::json> take_answers(const std::string& id,
                                               const nlohmann::json& responses);

    /// tasks/get, tasks/cancel. Errors: InvalidParams for an unknown task.
    Outcome get(const std::string& id);
    Outcome cancel(const std::string& id);

  private:
    enum class Status { Working, InputRequired, Completed, Failed, Cancelled };
    struct Task {
        Status status = Status::Working;
        UnixMs created_ms = 0;
        UnixMs updated_ms = 0;
        std::string member;          ///< JSON text of the status' own member; empty: none
        std::string answers = "{}";  ///< JSON text: what the client has answered so far

        bool is_over() const {
            return status != Status::Working && status != Status::InputRequired;
        }
    };

    void sweep();
    /// Sets the status of a task that is not over, and tells it.
    void move(const std::string& id, Status status, std::string member);
    static nlohmann::ordered_json to_json(const std::string& id, const Task& task);

    const a2h::Clock& clock_;
    const Changed changed_;
    std::mutex mutex_;
    std::map<std::string, Task> tasks_;
};

}  // namespace a2h::mcp
