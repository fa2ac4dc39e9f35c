#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/standard.h"

namespace a2h::cli {

// The rows of `commands()`. Each of these functions stands at the end of a file of this folder,
// below the handlers and texts of its commands.

std::vector<Command> agent_rows();        // agents.cpp; contacts, introductions and tasks as well
std::vector<Command> approval_rows();     // approvals.cpp
std::vector<Command> audit_rows();        // audit.cpp
std::vector<Command> backup_rows();       // backup.cpp
std::vector<Command> config_rows();       // config.cpp
std::vector<Command> deal_rows();         // deals.cpp
std::vector<Command> demo_rows();         // demo/demo.cpp
std::vector<Command> doctor_rows();       // doctor.cpp
std::vector<Command> event_rows();        // events.cpp
std::vector<Command> explain_rows();      // explain.cpp
std::vector<Command> init_rows();         // init.cpp
std::vector<Command> invitation_rows();   // invitations.cpp
std::vector<Command> lifecycle_rows();    // lifecycle.cpp
std::vector<Command> log_rows();          // logs.cpp
std::vector<Command> mail_rows();         // mail.cpp
std::vector<Command> mandate_rows();      // mandates.cpp
std::vector<Command> mcp_config_rows();   // mcp_config.cpp
std::vector<Command> metrics_rows();      // metrics.cpp
std::vector<Command> negotiation_rows();  // negotiations.cpp
std::vector<Command> notify_rows();       // notifications.cpp
std::vector<Command> offer_rows();        // offers.cpp
std::vector<Command> order_rows();        // orders.cpp
std::vector<Command> outbox_rows();       // mail.cpp
std::vector<Command> page_rows();         // page.cpp
std::vector<Command> playbook_rows();     // playbook.cpp
std::vector<Command> profile_rows();      // profiles.cpp
std::vector<Command> status_rows();       // status.cpp
std::vector<Command> top_rows();          // top.cpp
std::vector<Command> works_rows();        // works.cpp

// Parameters of several commands.
inline constexpr Parameter kAgentOption = {"--agent", ParameterKind::Value, "cli.option_agent",
                                           "ID"};
inline constexpr Parameter kPersonOption = {"--person", ParameterKind::Value, "cli.option_person",
                                            "NAME"};
inline constexpr Parameter kPinStdin = {"--pin-stdin", ParameterKind::Flag, "cli.option_pin_stdin"};
inline constexpr Parameter kNoWait = {"--no-wait", ParameterKind::Flag, "cli.option_no_wait"};
inline constexpr Parameter kPeerWord = {"PEER", ParameterKind::Required, "cli.argument_peer"};

/// `Command::given` of a list that is shown up to the most that one call returns.
inline constexpr std::string_view kHundred = R"({"limit":100})";

/// A row without a handler (`run_standard`).
inline Command standard_row(std::string_view name, std::string_view action,
                            std::string_view summary, std::vector<Parameter> parameters,
                            Renderer render, std::string_view given = {}) {
    return {name, action, summary, std::move(parameters), run_standard, render, given};
}

}  // namespace a2h::cli
