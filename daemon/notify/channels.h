#pragma once

#include <memory>
#include <string>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// The three channels, one a file; `make_channels` checks their options first.
std::unique_ptr<Channel> make_terminal_channel(std::string terminal_path);
std::unique_ptr<Channel> make_desktop_channel();
std::unique_ptr<Channel> make_webhook_channel(std::string url, std::string secret);

}  // namespace a2h::notify
