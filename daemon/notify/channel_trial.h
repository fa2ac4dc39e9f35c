#pragma once

#include <string>
#include <vector>

#include "core/domain/person.h"
#include "core/i18n/messages.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// The channels on which one of `people` is notified, or the one that is named.
///
/// Thread:  the loop.
Channels channels_in_use(const Channels& channels, const std::vector<Person>& people,
                         const std::string& name = {});

/// Sends a test notification and returns whom it reached. Blocks on the channel.
///
/// Errors:  those of `Channel::deliver`.
/// Thread:  a worker.
Result<std::string> try_channel(Channel& channel, i18n::Language language);

}  // namespace a2h::notify
