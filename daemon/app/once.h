#pragma once

#include <string>
#include <string_view>

#include "core/control/home.h"

namespace a2h {

/// Exit statuses of a2hd.
inline constexpr int kExitFailed = 1;
inline constexpr int kExitHomeTaken = 3;

/// One operation of the catalogue in the place of a daemon that serves: `a2hd --once ACTION`.
struct Once {
    std::string action;
    std::string params;  ///< JSON object as in the control protocol; without `face` a human's
};

/// What became of it: `envelope` is the result as the control protocol has it (R16), whatever
/// happened.
struct OnceResult {
    std::string envelope;
    int exit_status = 0;  ///< 0 when it says ok; kExitHomeTaken when an a2hd serves the home
};

/// Takes the home's lock, opens configuration, identities and database, runs `once` without socket,
/// page, broker and clocks, and ends. What it leaves to be sent or told waits in the database for
/// the next a2hd that serves. Thread: the main one.
OnceResult run_once(const control::Home& home, const Once& once);

}  // namespace a2h
