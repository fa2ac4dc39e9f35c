#pragma once

#include <string>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "core/control/client.h"

namespace a2h::cli {

/// Writes the question `id` to stderr for the person who is about to answer it, and returns it.
std::variant<nlohmann::json, Failure> show_question(control::Client& client,
                                                    const Invocation& invocation,
                                                    const std::string& id);

/// The approval as it is now; null if it cannot be read.
nlohmann::json read_approval(control::Client& client, const Invocation& invocation,
                             const std::string& id);

/// `answered` as it is when its message has been sent; as it is now if that takes longer than a
/// message takes that the broker can get.
nlohmann::json when_sent(control::Client& client, const Invocation& invocation,
                         nlohmann::json answered);

/// Shows the open question `id`, asks for the PIN and says yes to what was shown, like `a2h
/// approve`. After a Failure the question is still open.
Outcome approve_shown(control::Client& client, const Invocation& invocation, const std::string& id);

}  // namespace a2h::cli
