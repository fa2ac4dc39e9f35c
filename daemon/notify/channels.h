#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// The channels that are always there. Those that people set up, one a file, are made by the rows
/// of channel_makers.h; `make_channels` checks their options first. `transfers`: see there.
std::unique_ptr<Channel> make_terminal_channel(std::string terminal_path);
/// `run_limit`: after it notify-send is killed.
std::unique_ptr<Channel> make_desktop_channel(
    std::chrono::milliseconds run_limit = std::chrono::seconds(5));

/// Whether `user` is in the list `users`, separated by commas; an empty list is everybody who sees
/// the message.
bool is_allowed(std::string_view users, std::string_view user);

/// For `application/x-www-form-urlencoded`.
std::string form_value(std::string_view text);

}  // namespace a2h::notify

#include "generated/channel_makers.h"
