#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/wire/agent_messages.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {

/// A message of the agents' own types.
struct TypedMail {
    std::string target_id;
    AgentMessageType type = AgentMessageType::General;
    std::string payload_json;
    bool needs_yes = false;  ///< asks the human, whatever the words, when it leaves the house
    /// task_assignment: what the worker, of this house, may spend; needs the human's yes.
    std::string mandate_json{};
    std::string context{};     ///< what the human reads beside the question
    std::string provenance{};  ///< of what it answers
    std::string data_json;     ///< an object: what the caller is told beside the ids; may be empty
};

/// Whether a message of this agent can get to `agent_id`, as far as this house can say; else
/// answers the call: agent_not_found for one of ours that is stopped, Conflict when the market does
/// not know the caller and the other one lives elsewhere.
bool can_be_sent(const Sender& sender, const Call& call, const std::string& agent_id,
                 const Reply& reply);

/// Checks that `agent_id` can be written to and calls `then`, on the loop; else answers the call
/// with agent_not_found: an agent of this house that is stopped or was never there, or one that a
/// market with our rules does not know. A known contact is not looked up, and where nobody can say
/// it may be written to. Also as `can_be_sent`.
void with_reachable(const Sender& sender, const Call& call, const std::string& agent_id,
                    const Reply& reply, std::function<void()> then);

/// Queues `mail` with all that it changes for its sender (`house::queue_mail`). Within the house
/// nothing is reviewed; what `hold_of` holds back, and what gives a share of a mandate, is
/// put to the human, whose yes sends it.
///
/// Answers with message_id, target_id, type, state and `mail.data_json`. Errors: agent_not_found;
/// invalid_message_format with everything that is missing; InvalidArgument when it is too large;
/// those of `with_known_references` and `house::queue_mail`.
void send_typed(const Sender& sender, const Call& call, TypedMail mail, const Reply& reply);

/// A result with an error of a name of its own, and what belongs to it.
nlohmann::json named_error(std::string_view action, std::string_view code, std::string_view message,
                           std::string_view next, const nlohmann::json& details);

}  // namespace a2h::operations
