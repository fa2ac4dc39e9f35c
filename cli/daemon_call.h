#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "core/control/client.h"

namespace a2h::cli {

/// For callers that use the envelope.
std::string nothing_to_show(const Invocation&, const nlohmann::json&);

/// Connects to the running a2hd of the invocation's home. A Failure says how to start it.
std::variant<std::unique_ptr<control::Client>, Failure> connect(const Invocation& invocation);

/// How long the answer of a fast operation is awaited.
inline constexpr std::chrono::seconds kAnswerTimeout{30};

/// Calls one operation as the human. `face` and `agent` are added to `params`. If a2hd does this
/// only for a proved owner, the PIN is requested and the call repeated with it. The progress of
/// longer work is shown on a terminal.
Outcome call(control::Client& client, const Invocation& invocation, std::string_view action,
             nlohmann::json params, Renderer render, std::chrono::seconds timeout = kAnswerTimeout);

/// `connect` and `call` together.
Outcome call_daemon(const Invocation& invocation, std::string_view action, nlohmann::json params,
                    Renderer render, std::chrono::seconds timeout = kAnswerTimeout);

/// The same; if no a2hd serves the home, `a2hd --once` carries the operation out.
Outcome call_daemon_or_once(const Invocation& invocation, std::string_view action,
                            nlohmann::json params, Renderer render,
                            std::chrono::seconds timeout = kAnswerTimeout);

}  // namespace a2h::cli
