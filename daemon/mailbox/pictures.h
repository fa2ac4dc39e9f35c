#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"
#include "daemon/context/agent.h"
#include "daemon/mailbox/mailboxes.h"

namespace a2h::mailbox {

/// Fetches the picture at `url`, which came with a message to `agent_id`. It blocks and may run on
/// a worker. Empty when nothing may be fetched from there: pictures come from the markets of this
/// home and from `hosts`, which the owner has named. Thread: the loop.
std::function<Result<std::string>()> picture_source(const Agents& agents, HttpClients& http,
                                                    const std::vector<std::string>& hosts,
                                                    const std::string& agent_id,
                                                    const std::string& url);

}  // namespace a2h::mailbox
