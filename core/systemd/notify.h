#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace a2h::systemd {

// Notifications to the service manager that started this process: each is one datagram to the
// socket that $NOTIFY_SOCKET names, a path or, after '@', an abstract name. Without the variable or
// a listener nothing happens.
//
// The protocol is a line of text and guaranteed to be stable, so it is implemented here: libsystemd
// would add five more libraries and 1 MiB to a process that holds keys.
//
// Thread:  any. Each call waits at most `kNotifyWaitMax` for a manager that does not read.
// Source:  sd_notify(3), "Well-known assignments".

constexpr std::chrono::milliseconds kNotifyWaitMax{20};

/// The process serves; after `notify_reloading`: it serves with the new settings.
void notify_ready();
/// A SIGHUP was received. `notify_ready` must follow, whether the new settings are valid or not.
void notify_reloading();
/// The orderly shutdown has begun.
void notify_stopping();
/// One line for `systemctl status`.
void notify_status(std::string_view line);
/// The process makes progress.
void notify_watchdog();

/// How long the manager waits for the next `notify_watchdog` before it ends this process; absent if
/// it does not expect them.
///
/// Source:  sd_watchdog_enabled(3).
std::optional<std::chrono::microseconds> watchdog_period();

}  // namespace a2h::systemd
