#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

// The options of each kind of channel.
//
// Thread:  any.

/// All channels besides `terminal` and `desktop` (`kBuiltInChannels`), checked and with the secrets
/// of their files: the configured ones, and `webhook` if `channels` names it. Blocks on the disk.
///
/// Errors:  InvalidArgument for an unknown name or kind, an option that the kind does not have, a
///          missing or unsafe URL, a missing secret, or a secret file as in `read_secret_file`.
Result<std::vector<ChannelSettings>> complete_channels(const Options& options);

/// A channel that needs no `[[channel]]` table.
struct BuiltInChannel {
    std::string_view name;
    bool carries_codes = true;  ///< false: its messages never contain a code
};
inline constexpr BuiltInChannel kBuiltInChannels[] = {
    {.name = "terminal"},
    {.name = "desktop", .carries_codes = false},
    {.name = "webhook"},
};
/// The row with this name; null for a configured channel.
const BuiltInChannel* built_in_channel(std::string_view name);

/// Reads the secret file of a channel: a flat TOML table of texts that only its owner may be able
/// to read.
///
/// Errors:  InvalidArgument naming the file, without its content.
Result<std::vector<std::pair<std::string, std::string>>> read_secret_file(const std::string& path);

/// https, or http to this machine, because secrets are sent there.
bool is_safe_url(std::string_view url);
/// Letters, digits, `-` and `_`, which need no escaping in a URL.
bool is_plain_id(std::string_view text);

}  // namespace a2h::notify
