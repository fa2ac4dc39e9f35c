#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace a2h::wire {

// The messages by which agents work together: task, status, introduction, collaboration. The type
// is the envelope's `message_type`; a payload may repeat it. Thread: any.
// Source: docs/protocol.md, "Messages between agents".

enum class AgentMessageType {
    TaskAssignment,
    StatusReport,
    IntroductionRequest,
    IntroductionResponse,
    CollaborationRequest,
    CollaborationResponse,
    General,
};
/// "task_assignment", …
std::string_view to_string(AgentMessageType type);
std::optional<AgentMessageType> parse_agent_message_type(std::string_view text);

/// Why a payload is not one of its type.
struct MessageFault {
    AgentMessageType type = AgentMessageType::General;
    std::vector<std::string> missing_fields;  ///< all of them, as they are documented
    std::string detail;  ///< a member of another type than documented; or empty
};
/// `{"error":"invalid_message_format","message_type",…,"missing_fields":[…]}`
nlohmann::json to_json(const MessageFault& fault);

/// What `payload` lacks to be a message of `type`; nullopt when it is one. General is anything.
/// Required: task_assignment: task_id, task_brief (itself complete; its fields are named
/// "task_brief.objective" …); status_report: task_id, status (in_progress, blocked, completed,
/// failed; cancelled from the giver), summary; introduction_request: reason, required_capability;
/// introduction_response: introduced, and if it is true contact with id and role, else reason;
/// collaboration_request: request_id, request; collaboration_response: request_id, accepted,
/// response. Names may be snake_case or camelCase; an empty string is missing.
std::optional<MessageFault> fault_of(AgentMessageType type, const nlohmann::json& payload);

/// `payload` with our snake_case names for the documented members; everything else as it is.
nlohmann::json normalized(AgentMessageType type, nlohmann::json payload);

}  // namespace a2h::wire
