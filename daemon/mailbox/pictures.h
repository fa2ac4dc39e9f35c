#pragma once

#include <string>

#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/mailbox/mailboxes.h"
#include "daemon/notify/notification_queue.h"

namespace a2h::mailbox {

/// Downloads pictures that came with messages: from the markets of this home, and from hosts that
/// the owner has configured.
///
/// Thread:  the loop.
class Pictures final : public notify::PictureSource {
  public:
    Pictures(const Agents& agents, HttpClients& http, const Current<Config>& config)
        : agents_(agents), http_(http), config_(config) {}

    /// Downloads the picture at `url`, which came with a message to `agent_id`.
    Fetch fetch_of(const std::string& agent_id, const std::string& url) override;

  private:
    const Agents& agents_;
    HttpClients& http_;
    const Current<Config>& config_;
};

}  // namespace a2h::mailbox
