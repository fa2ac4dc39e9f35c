#pragma once

#include <chrono>

#include "core/domain/outbox.h"
#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/dead_letter.h"

namespace a2h::mail {

/// Judges again, before it is sent, what was queued without a person's yes (R46, R52,
/// `is_judged_late`) and could not be sent within a second, because mail of the recipient may have
/// arrived since. If it could answer that, or if it is not known for `kReadingMax` whether it
/// could, it is given up. If a mandate has released it, all waiting mail is read first, as before
/// the mandate's yes.
///
/// Thread:  the loop.
class LateJudge {
  public:
    /// Sends the messages that are judged, or gives them up.
    class Sender {
      public:
        /// Whether there is a way to the target now.
        virtual bool can_send(const OutboxMessage& message) const = 0;
        virtual void pass_on(const OutboxMessage& message) = 0;
        /// There is no way any more; a later attempt judges it again.
        virtual void leave_queued(const OutboxMessage& message) = 0;
        virtual void give_up(const OutboxMessage& message, GivenUp why) = 0;

      protected:
        ~Sender() = default;
    };

    LateJudge(const kernel::Kernel& kernel, const Agents& agents, const UnreadMail& unread_mail,
              Sender& sender);

    /// Calls one of the functions of the sender that end the matter: at once if `message` need not
    /// be judged again.
    void judge(const OutboxMessage& message);

  private:
    /// How long a message that was released without a yes waits for mail to be read.
    static constexpr std::chrono::seconds kReadingMax{30};
    using Until = std::chrono::steady_clock::time_point;

    bool was_just_judged(const OutboxMessage& message) const;
    void read_for_mandate(const OutboxMessage& message, Until until);
    void judge_again(const OutboxMessage& message, Until until);
    void look_at_listing(const OutboxMessage& message);

    const kernel::Kernel& kernel_;
    const Agents& agents_;
    const UnreadMail& unread_mail_;
    Sender& sender_;
};

}  // namespace a2h::mail
