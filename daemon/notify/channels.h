#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// The channels, one a file; `make_channels` checks their options first. `transfers`: see there.
std::unique_ptr<Channel> make_terminal_channel(std::string terminal_path);
/// `run_limit`: after it notify-send is killed.
std::unique_ptr<Channel> make_desktop_channel(
    std::chrono::milliseconds run_limit = std::chrono::seconds(5));
std::unique_ptr<Channel> make_webhook_channel(const ChannelSettings& settings,
                                              http::Transfers* transfers = nullptr);
std::unique_ptr<Channel> make_ntfy_channel(const ChannelSettings& settings,
                                           http::Transfers* transfers = nullptr);
std::unique_ptr<Channel> make_telegram_channel(const ChannelSettings& settings,
                                               http::Transfers* transfers = nullptr);
std::unique_ptr<Channel> make_email_channel(const ChannelSettings& settings,
                                            http::Transfers* transfers = nullptr);
std::unique_ptr<Channel> make_feishu_channel(const ChannelSettings& settings,
                                             http::Transfers* transfers = nullptr);
std::unique_ptr<Channel> make_slack_channel(const ChannelSettings& settings,
                                            http::Transfers* transfers = nullptr);
std::unique_ptr<Channel> make_discord_channel(const ChannelSettings& settings,
                                              http::Transfers* transfers = nullptr);

/// Whether `user` is in the list `users`, separated by commas; an empty list is everybody who sees
/// the message.
bool is_allowed(std::string_view users, std::string_view user);

/// For `application/x-www-form-urlencoded`.
std::string form_value(std::string_view text);

}  // namespace a2h::notify
