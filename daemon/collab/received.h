#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/invitation.h"
#include "core/i18n/messages.h"

namespace a2h::collab {

// What a requester has sent, as it was received: that is what a yes covers. The rules read it
// forgivingly and cut it (core/wire/demand_json.h); nothing here does. Thread: any.

/// The members of `message` that `read` does not say in the same way, as JSON text: unknown ones,
/// and whole what reading has cut. `read` is what was read of it, written again; the object `body`
/// is kept by itself. Empty: there are none.
std::string said_besides(const nlohmann::json& message, const nlohmann::json& read,
                         std::string_view body);

/// What `plan` gives `agent_id` to do; more than one entry where it has several parts.
std::vector<nlohmann::json> parts_of(const nlohmann::json& plan, std::string_view agent_id);
std::vector<nlohmann::json> own_parts(const Invitation& invitation);

/// All that the invitation says, a line each.
std::string invitation_in_words(const Invitation& invitation, i18n::Language language);
/// All that the newest plan says, a line each, our own part first.
std::string plan_in_words(const Invitation& invitation, i18n::Language language);

}  // namespace a2h::collab
