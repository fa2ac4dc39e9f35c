#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Invitations to negotiations of many parties as text for a terminal; what is missing shows as
// nothing, and what others wrote is made printable.

std::string render_invitations(const Invocation& invocation, const nlohmann::json& data);
/// The first of the list: what is wanted, what was offered, the newest plan, and what can be done.
std::string render_invitation(const Invocation& invocation, const nlohmann::json& data);
/// That an answer has left.
std::string render_said(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
