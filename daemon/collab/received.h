#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/invitation.h"
#include "core/i18n/messages.h"

namespace a2h::collab {

// Messages as a requester has sent them, unchanged, because a yes covers exactly that. The rules
// accept inexact input and shorten it (core/wire/demand_json.h); the functions here do not.
//
// Thread:  any.

/// The members of `message` that `read` does not contain unchanged, as JSON text: unknown members,
/// and the full text of shortened ones. `read` is the parsed message written again; the object
/// `body` is kept separately. Empty if there are none.
std::string said_besides(const nlohmann::json& message, const nlohmann::json& read,
                         std::string_view body);

/// The parts that `plan` gives `agent_id`; there can be several.
std::vector<nlohmann::json> parts_of(const nlohmann::json& plan, std::string_view agent_id);
std::vector<nlohmann::json> own_parts(const Invitation& invitation);

/// The content of the invitation, one fact on each line.
std::string invitation_in_words(const Invitation& invitation, i18n::Language language);
/// The content of the newest plan, one fact on each line, with our own part first.
std::string plan_in_words(const Invitation& invitation, i18n::Language language);

}  // namespace a2h::collab
