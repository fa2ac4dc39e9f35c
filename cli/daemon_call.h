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

/// Calls one operation as the human. `params` lack `face` and `agent`, which are added.
Outcome call(control::Client& client, const Invocation& invocation, std::string_view action,
             nlohmann::json params, Renderer render);

/// `connect` and `call` in one.
Outcome call_daemon(const Invocation& invocation, std::string_view action, nlohmann::json params,
                    Renderer render);

}  // namespace a2h::cli
