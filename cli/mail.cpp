#include <nlohmann/json.hpp>
#include <variant>

#include "cli/daemon_call.h"
#include "cli/mail_text.h"
#include "cli/number.h"
#include "cli/rows.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

Outcome change_outbox(const Invocation& invocation, std::string_view action) {
    if (invocation.has("--held") && !invocation.has("ID")) {
        json all_held = json::object();
        all_held["all_held"] = true;
        return call_daemon(invocation, action, std::move(all_held), render_outbox_change);
    }
    if (!invocation.has("ID")) {
        return Failure{std::string(kUsageCode),
                       invocation.text("cli.missing_argument", {{"word", "ID"}}),
                       help_of(*invocation.command, invocation.language),
                       {}};
    }
    const auto id = number_of(invocation, "ID");
    if (const auto* wrong = std::get_if<Failure>(&id)) return *wrong;
    return call_daemon(invocation, action, {{"id", std::get<0>(id)}}, render_outbox_change);
}

Outcome run_inbox(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--limit")) {
        const auto limit = number_of(invocation, "--limit");
        if (const auto* wrong = std::get_if<Failure>(&limit)) return *wrong;
        params["limit"] = std::get<0>(limit);
    }
    if (!invocation.has("PEER")) {
        return call_daemon(invocation, "inbox.list", params, render_conversations);
    }
    params["peer_id"] = invocation.value("PEER");
    return call_daemon(invocation, "inbox.history", params, render_history);
}

Outcome run_outbox_requeue(const Invocation& invocation) {
    return change_outbox(invocation, "outbox.requeue");
}

Outcome run_outbox_drop(const Invocation& invocation) {
    return change_outbox(invocation, "outbox.drop");
}

}  // namespace

std::vector<Command> mail_rows() {
    using enum ParameterKind;
    return {
        {"inbox",
         "inbox.list",
         "cli.inbox",
         {{"PEER", Optional, "cli.argument_peer"},
          {"--limit", Value, "cli.option_limit", "N"},
          kAgentOption},
         run_inbox},
        standard_row("send", "send", "cli.send",
                     {kPeerWord,
                      {"TEXT", Required, "cli.argument_text"},
                      kPersonOption,
                      kPinStdin,
                      kNoWait,
                      kAgentOption},
                     render_message),
    };
}

std::vector<Command> outbox_rows() {
    using enum ParameterKind;
    constexpr Parameter kRow = {"ID", Optional, "cli.argument_outbox"};
    constexpr Parameter kHeld = {"--held", Flag, "cli.option_held"};
    return {
        standard_row("outbox list", "outbox.list", "cli.outbox_list",
                     {{"--state", Value, "cli.option_state", "STATE"}, kAgentOption},
                     render_outbox),
        {"outbox requeue",
         "outbox.requeue",
         "cli.outbox_requeue",
         {kRow, kHeld, kPinStdin, kAgentOption},
         run_outbox_requeue},
        {"outbox drop",
         "outbox.drop",
         "cli.outbox_drop",
         {kRow, kHeld, kPinStdin, kAgentOption},
         run_outbox_drop},
    };
}

}  // namespace a2h::cli
