#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace a2h::wire {

// The messages between the stages of a task: queue, agent, context service and review. Each is one
// JSON object whose first fields are those of `TaskEnvelope`.
//
// Thread:  any.
// Source:  docs/protocol.md, "Task messages".

constexpr std::string_view kTaskSchemaVersion = "v0.1";
/// Limit of trace id, schema version and result type, in bytes.
constexpr std::size_t kTaskFieldBytesMax = 256;
/// A plausible upper limit of attempts.
constexpr int kTaskAttemptsMax = 1'000;

/// The two types for tool calls are reserved: they have no form yet and are refused.
enum class TaskMessageType {
    TaskEvent,
    GetContextRequest,
    PromptBlocksResponse,
    ToolCallRequest,
    ToolCallResponse,
    ReportResultRequest,
    EvaluationRequest,
    EvaluationResponse,
    RetryEvent,
};
/// "task_event", "get_context_request", …
std::string_view to_string(TaskMessageType type);
std::optional<TaskMessageType> parse_task_message_type(std::string_view text);
bool is_reserved(TaskMessageType type);

struct TaskEnvelope {
    std::string message_id;  ///< uuid
    UnixMs sent_at_ms = 0;   ///< sent in whole seconds
    std::string trace_id;    ///< may be empty
    std::string schema_version{kTaskSchemaVersion};
};

struct TaskEvent {
    TaskEnvelope envelope;
    std::string task_id;             ///< uuid
    std::string payload_json{"{}"};  ///< an object, opaque
    int retry_count = 0;             ///< earlier attempts: 0 … max_attempts - 1 (R43)
    int max_attempts = 1;
};

/// The next attempt of a task: the fields of its TaskEvent, with a `retry_count` of at least 1.
struct RetryEvent : TaskEvent {};
/// Task and payload stay, and `retry_count` is incremented (R43).
///
/// Errors:  InvalidArgument if that was the last attempt.
Result<RetryEvent> retry_of(const TaskEvent& event, TaskEnvelope envelope);

struct GetContextRequest {
    TaskEnvelope envelope;
    std::string agent_id;  ///< uuid of the requester
    std::string task_id;
    std::string globals_json{"{}"};  ///< an object
};

struct PromptBlocksResponse {
    TaskEnvelope envelope;
    std::string system;
    std::string task;
    std::string allowed_tools;  ///< a list as text, JSON or YAML
    std::string context_data;
    std::string instruction;
};

struct ToolResult {
    std::string invocation_id;               ///< uuid
    std::string tool_id;                     ///< uuid
    std::string result_type{"tool_result"};  ///< or another word
    std::string data_json{"{}"};             ///< an object
    UnixMs created_at_ms = 0;
};

struct ReportResultRequest {
    TaskEnvelope envelope;
    std::string task_id;
    std::vector<ToolResult> tool_results;
    std::string task_results_json{"{}"};  ///< an object
};

struct EvaluationRequest {
    TaskEnvelope envelope;
    std::string task_id;
    std::string task_results_json{"{}"};  ///< as reported
};

/// Unknown words mean Fail and None (R44).
enum class EvaluationStatus { Pass, Fail };
std::string_view to_string(EvaluationStatus status);
std::optional<EvaluationStatus> parse_evaluation_status(std::string_view text);
enum class NextAction { Retry, NextSlice, None };
std::string_view to_string(NextAction action);
std::optional<NextAction> parse_next_action(std::string_view text);

struct EvaluationResponse {
    TaskEnvelope envelope;
    std::string task_id;
    EvaluationStatus status = EvaluationStatus::Fail;
    double score = 0;  ///< 0 to 100
    NextAction next_action = NextAction::None;
};

/// The canonical JSON of `message`. Whatever `read_task_message` would refuse is not written.
///
/// Errors:  InvalidArgument naming the field: not a uuid, not an object, a count or score out of
///          its range, a field too long, text that is not UTF-8.
template <typename Message>
Result<std::string> write_task_message(const Message& message);

/// Reads one of the structures above. Unknown fields are ignored; uuids are returned in lower case.
///
/// Errors:  InvalidArgument naming the field that is missing, of another type or out of its range,
///          or if `text` is not a JSON object; ResourceExhausted if it is too large or too deep;
///          Unsupported for a schema_version other than v0.x (R44).
template <typename Message>
Result<Message> read_task_message(std::string_view text);

/// True for the textual form of RFC 9562, in upper or lower case.
bool is_uuid(std::string_view text);
/// A random uuid (version 4).
std::string new_uuid();
/// The uuid of one of our ids or tool names: version 5 in the namespace `kUuidNamespace` (R43).
constexpr std::string_view kUuidNamespace = "6f5a9d0e-3b1c-5e47-9c28-a2b4d7e1f360";
std::string uuid_of(std::string_view id);

}  // namespace a2h::wire
