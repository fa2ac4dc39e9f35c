#pragma once

#include <string>

#include "cli/command.h"
#include "core/control/client.h"

namespace a2h::cli {

/// Shows the open question `id`, asks for the PIN and says yes to what was shown, like `a2h
/// approve`. After a Failure the question is still open.
Outcome approve_shown(control::Client& client, const Invocation& invocation, const std::string& id);

}  // namespace a2h::cli
