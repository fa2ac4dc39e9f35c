#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "core/control/client.h"

namespace a2h::cli {

/// Writes an answer's `data` for people; `render.h` has one an action.
using Renderer = std::string (*)(const Invocation&, const nlohmann::json& data);

/// For callers that read the envelope.
std::string nothing_to_show(const Invocation&, const nlohmann::json&);

/// Connects to the running a2hd of the invocation's home; a Failure says how to start it.
std::variant<std::unique_ptr<control::Client>, Failure> connect(const Invocation& invocation);

/// What an operation that answers at once is waited for.
inline constexpr std::chrono::seconds kAnswerTimeout{30};

/// Calls one operation as the human. `params` lack `face` and `agent`, which are added. What takes
/// longer shows its progress on a terminal.
Outcome call(control::Client& client, const Invocation& invocation, std::string_view action,
             nlohmann::json params, Renderer render, std::chrono::seconds timeout = kAnswerTimeout);

/// `connect` and `call` in one.
Outcome call_daemon(const Invocation& invocation, std::string_view action, nlohmann::json params,
                    Renderer render, std::chrono::seconds timeout = kAnswerTimeout);

/// The same; where no a2hd serves the home, `a2hd --once` carries the operation out.
Outcome call_daemon_or_once(const Invocation& invocation, std::string_view action,
                            nlohmann::json params, Renderer render,
                            std::chrono::seconds timeout = kAnswerTimeout);

}  // namespace a2h::cli
