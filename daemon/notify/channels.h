#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// The three channels, one a file; `make_channels` checks their options first.
std::unique_ptr<Channel> make_terminal_channel(std::string terminal_path);
/// `run_limit`: after it notify-send is killed.
std::unique_ptr<Channel> make_desktop_channel(
    std::chrono::milliseconds run_limit = std::chrono::seconds(5));
std::unique_ptr<Channel> make_webhook_channel(std::string url, std::string secret);

}  // namespace a2h::notify
