#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// The output of the commands about listings and orders: each function returns it for `data`, the
// answer. Ids have lines of their own and are never cut or broken, because they are copied.

std::string render_found_listings(const Invocation& invocation, const nlohmann::json& data);
std::string render_own_listings(const Invocation& invocation, const nlohmann::json& data);
/// One listing with its content.
std::string render_listing(const Invocation& invocation, const nlohmann::json& data);
/// `items` of both roles, newest first.
std::string render_orders(const Invocation& invocation, const nlohmann::json& data);
/// One order with its content, and the steps that it allows its reader now.
std::string render_order(const Invocation& invocation, const nlohmann::json& data);

/// The reader's words for a state of an order, as "CONFIRMED"; the state itself if it is unknown.
std::string order_state_text(const Invocation& invocation, const std::string& state);

}  // namespace a2h::cli
