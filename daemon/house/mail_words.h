#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "core/wire/agent_messages.h"

namespace a2h::house {

// A typed message as the human reads it before agreeing that it leaves. Thread: any.

/// True for the names of members that the protocol defines.
bool is_known_member(std::string_view name);

/// One line a member: those of the protocol by their names in `language`, then whatever else is in
/// it by its own name, and the ids last. Nothing of `payload` is left out.
std::string mail_in_words(const nlohmann::json& payload, i18n::Language language);

/// "Give ag_x this task: …?", in one line.
std::string question_about_mail(AgentMessageType type, std::string_view peer_id,
                                const nlohmann::json& payload, i18n::Language language);

}  // namespace a2h::house
