#pragma once

#include <string>

#include "core/control/home.h"

namespace a2h {

/// Exit statuses of a2hd.
inline constexpr int kExitFailed = 1;
inline constexpr int kExitHomeTaken = 3;

/// One operation of the catalogue that runs without a serving daemon: `a2hd --once ACTION`.
struct Once {
    std::string action;
    std::string
        params;  ///< JSON object as in the control protocol; without `face` a person is the caller
};

/// The result: `envelope` is always what the control protocol returns (R16).
struct OnceResult {
    std::string envelope;
    int exit_status =
        0;  ///< 0 if the envelope says ok; kExitHomeTaken if another a2hd serves the home
};

/// Takes the home's lock, opens configuration, identities and database, runs `once` without socket,
/// page, broker and timers, and ends. Messages and notifications that it leaves wait in the
/// database for the next a2hd that serves the home.
///
/// Thread:  the main one.
OnceResult run_once(const control::Home& home, const Once& once);

}  // namespace a2h
