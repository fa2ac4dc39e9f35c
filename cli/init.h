#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "core/control/home.h"
#include "core/platform/identity.h"

namespace a2h::cli {

/// A new agent of a home.
struct NewAgent {
    std::string market;   ///< base of the market's HTTP API
    std::string name;     ///< its name for people; unique in the home
    std::string ca_file;  ///< private CA; empty: the system's
};

/// Registers an agent at the market and writes its identity, and human.json if `pin` is given.
/// Existing files are not overwritten; if the registration fails, the home contains no new file.
///
/// Errors:  those of `platform::Client::register_agent` and of `identity.h`.
Result<platform::AgentIdentity> create_identity(const control::Home& home, const NewAgent& agent,
                                                const std::optional<std::string>& pin);

}  // namespace a2h::cli
