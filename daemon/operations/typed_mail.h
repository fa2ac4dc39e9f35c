#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/wire/agent_messages.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {

// Thread:  the loop; replies are given on it.

/// A message of one of the agent message types.
struct TypedMail {
    std::string target_id;
    AgentMessageType type = AgentMessageType::General;
    std::string payload_json;
    bool needs_yes =
        false;  ///< asks the human, whatever its words, if the target belongs to another home
    /// task_assignment: what the worker, an agent of this home, may spend; needs the human's yes.
    std::string mandate_json{};
    std::string context{};     ///< what the human reads beside the question
    std::string provenance{};  ///< provenance of the message that it answers
    std::string data_json;     ///< an object that the caller gets beside the ids; may be empty
};

/// Whether a message of this agent can reach `agent_id`, as far as this home knows. Otherwise
/// answers the call: agent_not_found for a stopped agent of ours, Conflict if the market does not
/// know the caller and the target belongs to another home.
bool can_be_sent(const Sender& sender, const Call& call, const std::string& agent_id,
                 const Reply& reply);

/// Checks that `agent_id` can receive mail and calls `then` on the loop. Otherwise answers the call
/// with agent_not_found: an agent of this home that is stopped or never existed, or one that a
/// market with our rules does not know. Known contacts are not looked up, and an agent that cannot
/// be checked is accepted. Refuses what `can_be_sent` refuses as well.
void with_reachable(const Sender& sender, const Call& call, const std::string& agent_id,
                    const Reply& reply, std::function<void()> then);

/// Queues `mail` with all that it changes for its sender (`agents::queue_mail`). Within this home
/// nothing is reviewed. What `Judge` holds back, and what gives a share of a mandate, is put to
/// the human, whose yes sends it.
///
/// Answers with message_id, target_id, type, state and `mail.data_json`.
///
/// Errors:  agent_not_found; invalid_message_format with everything that is missing;
///          InvalidArgument if it is too large; those of `with_known_references` and
///          `agents::queue_mail`.
void send_typed(const Sender& sender, const Call& call, TypedMail mail, const Reply& reply);

/// A result with a specific error code and its details.
nlohmann::json named_error(std::string_view action, std::string_view code, std::string_view message,
                           std::string_view next, const nlohmann::json& details);

}  // namespace a2h::operations
