#pragma once

#include <string>
#include <vector>

#include "daemon/operations/runtime.h"

namespace a2h::operations {

/// Channels that somebody is told on, or the one that is named. Thread: the loop.
std::vector<notify::Channel*> channels_in_use(const Runtime& runtime, const std::string& name = {});

/// Sends a test notification; tells whom it reached. Thread: a worker; it blocks on the channel.
Result<std::string> try_channel(notify::Channel& channel, i18n::Language language);

}  // namespace a2h::operations
