#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Invitations to negotiations of many parties as text for a terminal. Missing members are shown as
// nothing, and words of others are made printable.

std::string render_invitations(const Invocation& invocation, const nlohmann::json& data);
/// The first of the list: the demand, the offer, the newest plan, and the possible commands.
std::string render_invitation(const Invocation& invocation, const nlohmann::json& data);
/// Confirms that an answer was sent.
std::string render_said(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
