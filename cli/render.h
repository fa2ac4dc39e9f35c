#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "cli/terminal.h"

namespace a2h::cli {

// The `data` of each answer as text for a terminal. Members that are missing or of another type are
// shown as nothing, because a newer daemon must not break an older `a2h`. Peers' words are made
// printable.

std::string render_status(const Invocation& invocation, const nlohmann::json& data);
/// One line each for parts of `status`: its connection, one of its `problems`, its `model`
/// ("claude-x: ready, 20000 of 2000000 tokens today, 1.10 USD of 5.00 USD today").
std::string connection_text(const Invocation& invocation, const nlohmann::json& data,
                            const Colours& colours);
std::string problem_text(const Invocation& invocation, const nlohmann::json& problem);
std::string model_text(const Invocation& invocation, const nlohmann::json& model);
std::string render_conversations(const Invocation& invocation, const nlohmann::json& data);
std::string render_history(const Invocation& invocation, const nlohmann::json& data);
std::string render_sent(const Invocation& invocation, const nlohmann::json& data);
std::string render_approvals(const Invocation& invocation, const nlohmann::json& data);
/// Only the first of the list, for a person who is about to answer it.
std::string render_approval(const Invocation& invocation, const nlohmann::json& data);
std::string render_answered(const Invocation& invocation, const nlohmann::json& data);
std::string render_answered_many(const Invocation& invocation, const nlohmann::json& data);
std::string render_approval_stats(const Invocation& invocation, const nlohmann::json& data);
std::string render_mandates(const Invocation& invocation, const nlohmann::json& data);
std::string render_mandate_given(const Invocation& invocation, const nlohmann::json& data);
std::string render_mandates_revoked(const Invocation& invocation, const nlohmann::json& data);
std::string render_negotiation_begun(const Invocation& invocation, const nlohmann::json& data);
std::string render_outbox(const Invocation& invocation, const nlohmann::json& data);
std::string render_outbox_change(const Invocation& invocation, const nlohmann::json& data);
std::string render_channels(const Invocation& invocation, const nlohmann::json& data);
std::string render_notifications(const Invocation& invocation, const nlohmann::json& data);
std::string render_events(const Invocation& invocation, const nlohmann::json& data);
std::string render_page_link(const Invocation& invocation, const nlohmann::json& data);
std::string render_pin_code(const Invocation& invocation, const nlohmann::json& data);
std::string render_pin_set(const Invocation& invocation, const nlohmann::json& data);
std::string render_stopping(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
