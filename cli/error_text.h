#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// What a person at a terminal reads when a2hd refuses something.
//
// Pure. Thread: any.

/// Returns the error in the person's language. What a2hd has only in English is quoted on a line of
/// its own wherever the person reads another language.
std::string error_text(const Invocation& invocation, const nlohmann::json& error);

/// Returns what the person can do next; empty if the error alone does not tell. The `next` of the
/// error is advice for assistants.
std::string next_step(const Invocation& invocation, const nlohmann::json& error);

}  // namespace a2h::cli
