#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "core/control/client.h"

namespace a2h::cli {

// Commands that commit their owner ask for the yes in the same command: the question is shown, the
// person at the terminal gives the PIN, and the command ends with what came of it.

/// Calls the operation like `call`. If it needs the person's yes, the question is shown, the PIN is
/// requested, or read with --pin-stdin, and the yes covers what was shown. Then the end of what was
/// approved is awaited, for at most 40 s; what has failed is a Failure. The envelope has the
/// approval, with the market's answer in `result`.
///
/// With --no-wait, and where there is neither a terminal nor --pin-stdin, the question is only put,
/// and the Failure says how to approve. An empty PIN and Ctrl-C leave it open, too.
Outcome call_with_yes(control::Client& client, const Invocation& invocation,
                      std::string_view action, nlohmann::json params, Renderer render);

/// `connect` and `call_with_yes` together.
Outcome call_daemon_with_yes(const Invocation& invocation, std::string_view action,
                             nlohmann::json params, Renderer render);

/// What came of a yes: its state, why it failed, and the id of the listing or order that it made or
/// changed.
std::string render_carried_out(const Invocation& invocation, const nlohmann::json& approval);

}  // namespace a2h::cli
