#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/health/listening.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/catch_up.h"

namespace a2h::health {

/// Reads the mail that waits before something is decided that depends on it.
///
/// The market is asked which of its events have not reached the broker, and is asked again until it
/// has sent those that it named first. Then each connected mailbox of the home sends itself a
/// canary, which comes back behind everything that was at the broker. At last the market's history
/// is fetched, for what the broker has dropped.
///
/// Thread:  the loop.
/// Source:  docs/rulings.md, R46.
class ReadFirst final : public UnreadMail {
  public:
    /// `listening` is null in a process that does not serve, which has no mail to read.
    ReadFirst(const kernel::Kernel& kernel, const Agents& agents, mail::CatchUp& catch_up,
              Listening* listening);

    /// Does without the market's history in the end. While an agent's canary has not come back,
    /// `SelfTest::is_behind` says so, and `HistoryFetches::is_late` the same of its history.
    void read_first(std::chrono::milliseconds patience,
                    std::function<void(bool is_read)> then) const override;
    /// Waits for the market's history as well, and does not pass over agents that are offline.
    void read_all(std::chrono::milliseconds patience,
                  std::function<void(bool is_read)> then) const override;

  private:
    struct Mailbox;
    struct Round;

    void ask(Agent& agent) const;
    void answered(Agent& agent, std::uint64_t number,
                  const Result<platform::WaitingNews>& answer) const;
    void follow_news(Mailbox& mailbox, Agent& agent) const;
    void read_on(const Round& round, const Mailbox& mailbox, Agent& agent) const;
    bool has_read(Round& round) const;
    void wait_on(const std::shared_ptr<Round>& round) const;
    bool give_up(Round& round) const;

    const kernel::Kernel& kernel_;
    const Agents& agents_;
    mail::CatchUp& catch_up_;
    Listening* const listening_;
};

}  // namespace a2h::health
