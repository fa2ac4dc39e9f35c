#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "daemon/answers/unread_mail.h"
#include "daemon/collab/waiting_mail.h"
#include "daemon/context/agent.h"
#include "daemon/health/listening.h"
#include "daemon/kernel/services.h"

namespace a2h::health {

/// Reads the mail that has reached the broker before something is decided that depends on it.
///
/// Each connected mailbox of the home sends itself a canary, which comes back behind everything
/// that was at the broker before the call.
///
/// Thread:  the loop.
/// Source:  docs/rulings.md, R46.
class ReadFirst final : public answers::UnreadMail, public collab::WaitingMail {
  public:
    /// `listening` is null in a process that does not serve, which has no mail to read.
    ReadFirst(const kernel::Services& kernel, const Agents& agents, Listening* listening);

    /// Waits for the market's history after a lost session, too, but does without it in the end.
    /// While an agent's canary has not come back, `SelfTest::is_behind` says so.
    void read_first(std::chrono::milliseconds patience,
                    std::function<void(bool is_read)> then) const override;
    /// Also waits for the market's history, and does not pass over agents that are offline.
    void read_all(std::chrono::milliseconds patience,
                  std::function<void(bool is_read)> then) const override;

  private:
    struct Round;

    bool has_read(const Round& round) const;
    void wait_on(const std::shared_ptr<Round>& round) const;
    bool give_up(const Round& round) const;

    const kernel::Services& kernel_;
    const Agents& agents_;
    Listening* const listening_;
};

}  // namespace a2h::health
