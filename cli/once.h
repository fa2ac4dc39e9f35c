#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"
#include "core/base/result.h"

namespace a2h::cli {

/// The answer of `a2hd --once`: the operation's envelope.
struct OnceAnswer {
    std::string envelope;
    bool home_taken = false;  ///< an a2hd serves the home and must be asked instead
};

/// Runs one operation in its own a2hd, for a home that no a2hd serves, and waits for its end.
/// `params_json` is passed in a file without a name, because every user of the machine can read a
/// program's arguments. Its log goes to that of the home.
///
/// Errors:  NotFound if there is no program a2hd; Unavailable if it cannot be started or ends
///          without an answer.
Result<OnceAnswer> run_once(const Invocation& invocation, std::string_view action,
                            std::string_view params_json);

}  // namespace a2h::cli
