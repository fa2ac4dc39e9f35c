#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// The channels that always exist. Those that people configure are made by the rows of
/// channel_makers.h, one file for each kind; `make_channels` checks their options first. See there
/// for `transfers`.
std::unique_ptr<Channel> make_terminal_channel(std::string terminal_path);
/// notify-send is killed after `run_limit`.
std::unique_ptr<Channel> make_desktop_channel(
    std::chrono::milliseconds run_limit = std::chrono::seconds(5));

/// Whether `user` is in the list `users`, separated by commas. An empty list allows everybody who
/// sees the message.
bool is_allowed(std::string_view users, std::string_view user);

/// Encodes a value for `application/x-www-form-urlencoded`.
std::string form_value(std::string_view text);

}  // namespace a2h::notify

#include "generated/channel_makers.h"
