#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"
#include "core/base/result.h"

namespace a2h::cli {

/// What `a2hd --once` said: the operation's envelope.
struct OnceAnswer {
    std::string envelope;
    bool home_taken = false;  ///< an a2hd serves the home: ask that one
};

/// Runs one operation in an a2hd of its own, for a home that none serves, and waits for its end.
/// `params_json` reaches it through a file without a name, because arguments can be read by
/// everybody on the machine. Its log goes to the home's.
/// Errors: NotFound when there is no program a2hd; Unavailable when it cannot be started or ends
///         without an answer.
Result<OnceAnswer> run_once(const Invocation& invocation, std::string_view action,
                            std::string_view params_json);

}  // namespace a2h::cli
