#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "core/wire/agent_messages.h"

namespace a2h::agents {

// A typed message as the human reads it before agreeing to send it.
//
// Thread:  any.

/// True for names of members that the protocol defines.
bool is_known_member(std::string_view name);

/// One line for each member: first those of the protocol with their names in `language`, then
/// others with their own names, and the ids last. Nothing of `payload` is left out.
std::string mail_in_words(const nlohmann::json& payload, i18n::Language language);

/// "Give ag_x this task: …?", on one line.
std::string question_about_mail(AgentMessageType type, std::string_view peer_id,
                                const nlohmann::json& payload, i18n::Language language);

}  // namespace a2h::agents
