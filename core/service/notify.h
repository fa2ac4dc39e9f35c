#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace a2h::service {

// What a service tells the manager that started it: one datagram each to the socket that
// $NOTIFY_SOCKET names, a path or, after '@', an abstract name. Without the variable, or when
// nobody listens there, nothing happens.
//
// The protocol is a line of text and is promised to stay as it is, so it is spoken here: libsystemd
// would bring five more libraries and 1 MiB into a process that holds keys.
//
// Thread: any. Each call waits at most `kNotifyWaitMax` for a manager that does not read.
// Source: sd_notify(3), "Well-known assignments".

constexpr std::chrono::milliseconds kNotifyWaitMax{20};

/// It serves; after `notify_reloading`: it serves with what it has read.
void notify_ready();
/// SIGHUP was taken; `notify_ready` must follow, whether the new settings are good or not.
void notify_reloading();
/// The orderly shutdown has begun.
void notify_stopping();
/// One line for `systemctl status`.
void notify_status(std::string_view line);
/// It makes progress.
void notify_watchdog();

/// How long the manager waits for the next `notify_watchdog` before it ends this process; absent
/// when it does not wait for this one.
/// Source: sd_watchdog_enabled(3).
std::optional<std::chrono::microseconds> watchdog_period();

}  // namespace a2h::service
