#include "daemon/mail/late_judge.h"

#include <algorithm>
#include <string>

#include "daemon/mail/late_mail.h"
#include "daemon/mail/listing_look.h"
#include "daemon/mail/standing.h"

namespace a2h::mail {
namespace {

constexpr std::chrono::milliseconds kJudgedFor{1'000};
constexpr std::chrono::milliseconds kCanaryPoll{20};
constexpr std::chrono::milliseconds kUnreadPoll{500};

}  // namespace

LateJudge::LateJudge(const kernel::Kernel& kernel, const Agents& agents,
                     const UnreadMail& unread_mail, Sender& sender)
    : kernel_(kernel), agents_(agents), unread_mail_(unread_mail), sender_(sender) {}

void LateJudge::judge(const OutboxMessage& message) {
    if (was_just_judged(message) || !is_judged_late(kernel_.reader, message))
        return sender_.pass_on(message);
    const auto until = kernel_.clock.steady_now() + kReadingMax;
    if (is_of_mandate(kernel_.reader, message)) {
        read_for_mandate(message, until);
    } else {
        judge_again(message, until);
    }
}

/// Messages that cross each other within `kJudgedFor` cannot be answers to each other, but an agent
/// that has connected since may have received older ones.
bool LateJudge::was_just_judged(const OutboxMessage& message) const {
    const UnixMs age_ms = kernel_.clock.now_ms() - message.created_at_ms;
    if (message.attempts > 0 || age_ms < 0 || age_ms >= kJudgedFor.count()) return false;
    const bool has_connected_since =
        std::any_of(agents_.begin(), agents_.end(), [&](const auto& entry) {
            const auto& connection = entry.second->connection;
            return connection && connection->state().connected_since_ms >= message.created_at_ms;
        });
    return !has_connected_since && !is_about_to_read(agents_);
}

/// Reads waiting mail first, also what the market holds, because the peer may have said something
/// that has not reached the broker.
void LateJudge::read_for_mandate(const OutboxMessage& message, Until until) {
    if (!sender_.can_send(message)) return sender_.leave_queued(message);
    unread_mail_.read_all(UnreadMail::kReadingMax, [this, message, until](bool is_read) {
        if (is_read) return judge_again(message, until);
        if (kernel_.clock.steady_now() >= until) return sender_.give_up(message, GivenUp::Unread);
        kernel_.loop.call_after(kUnreadPoll,
                                [this, message, until] { read_for_mandate(message, until); });
    });
}

/// The message stays in flight meanwhile, so that later ones to the same peer wait behind it.
void LateJudge::judge_again(const OutboxMessage& message, Until until) {
    // The next connection finds the row again.
    if (!sender_.can_send(message)) return sender_.leave_queued(message);
    const bool is_late = kernel_.clock.steady_now() >= until;
    const bool waits_for_canary = !is_late && is_about_to_read(agents_);
    if (!waits_for_canary) {
        const auto standing =
            standing_with_receiver(kernel_.reader, agents_, message, kernel_.clock.now_ms());
        if (standing && *standing == Standing::Quiet) return look_at_listing(message);
        if (standing && *standing == Standing::Open)
            return sender_.give_up(message, GivenUp::Overtaken);
        if (is_late) return sender_.give_up(message, GivenUp::Unread);
    }
    kernel_.loop.call_after(waits_for_canary ? kCanaryPoll : kUnreadPoll,
                            [this, message, until] { judge_again(message, until); });
}

/// The listing is read last before a mandate continues, as for a step that is sent at once.
void LateJudge::look_at_listing(const OutboxMessage& message) {
    const auto subject = late_subject(kernel_.reader, message);
    if (!subject) return sender_.pass_on(message);
    mail::look_at_listing(kernel_, agents_.at(message.agent_id)->platform.get(), *subject,
                          [this, message](const std::string& digest) {
                              if (!sender_.can_send(message)) return sender_.leave_queued(message);
                              if (is_step_current(kernel_.reader, message, digest))
                                  return sender_.pass_on(message);
                              sender_.give_up(message, GivenUp::ListingChanged);
                          });
}

}  // namespace a2h::mail
