#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/agent_message_types.h"

namespace a2h::wire {

// The payloads of the messages by which agents work together. The type is the envelope's
// `message_type`; a payload may repeat it. Thread: any.
// Source: docs/protocol.md, "Messages between agents".

/// Why a payload does not fit its type.
struct MessageFault {
    AgentMessageType type = AgentMessageType::General;
    std::vector<std::string> missing_fields;  ///< all of them, with their documented names
    std::string detail;  ///< a member with another type than documented; or empty
};
/// `{"error":"invalid_message_format","message_type",…,"missing_fields":[…]}`
nlohmann::json to_json(const MessageFault& fault);

/// The members that `payload` lacks for a message of `type`, as listed in the type's row; nullopt
/// if it is complete. A general message may have any payload. A brief must itself be complete; its
/// fields are named "task_brief.objective" …, those of a contact "contact.id" …. Names may be
/// snake_case or camelCase; an empty string counts as missing.
std::optional<MessageFault> fault_of(AgentMessageType type, const nlohmann::json& payload);

/// Whether a message of `type` asks the human, whatever its texts say, before it leaves this home:
/// a task, a report of anything but progress, an introduction.
bool needs_yes(AgentMessageType type, const nlohmann::json& payload);

/// `payload` with our snake_case names for the documented members; everything else unchanged.
nlohmann::json normalized(AgentMessageType type, nlohmann::json payload);

}  // namespace a2h::wire
