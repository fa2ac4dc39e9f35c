#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/catch_up.h"
#include "daemon/mail/receiver.h"
#include "daemon/outcome/commits.h"

namespace a2h::health {

/// With the defaults, a subscription that no longer works is noticed after at most 100 s, usually
/// after 70 s.
struct ListeningOptions {
    std::chrono::milliseconds interval{30'000};  ///< between two checks of an agent
    std::chrono::milliseconds patience{20'000};  ///< time for a canary to return
};

/// The values of $A2H_CANARY_INTERVAL_MS and $A2H_CANARY_PATIENCE_MS if they are set, for tests and
/// for very slow brokers.
ListeningOptions listening_options();

/// Checks that each agent receives its mail, so that "no mail" means that there is none.
///
/// An agent that received nothing since the last check, and each agent that has just connected,
/// sends itself a canary through the broker. If it is lost, a second one is sent at once. If that
/// is lost too, the agent is deaf: a new connection with a new subscription is made. If that does
/// not help, it is repeated after four and then after every eight canaries. Anything that arrives
/// shows that the agent receives mail.
///
/// Each change is an event ("listening.deaf", "listening.healed"). People are notified if a new
/// connection did not help within one and a half times `patience`, and when a later one did; of a
/// problem that a first new connection solved they are notified at most once in `kQuietFor`.
///
/// Thread:  the loop.
class Listening final : public mail::SelfTests {
  public:
    static constexpr std::chrono::hours kQuietFor{1};

    /// `catch_up` fetches what may have been missed while an agent was deaf.
    Listening(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
              mail::CatchUp& catch_up, const outcome::Commits& commits,
              ListeningOptions options = listening_options());

    void start();
    void connected(Agent& agent);
    void disconnected(Agent& agent);
    /// The canary `message_id` has arrived.
    void returned(const std::string& agent_id, const std::string& message_id) override;

    /// The result of one canary.
    struct RoundTrip {
        std::chrono::milliseconds took{};
        /// How much more the machine's wall clock advanced than its steady clock in the meantime.
        std::chrono::milliseconds clock_step{};
    };
    using Checked = std::function<void(const Result<RoundTrip>&)>;
    /// Calls `checked` when the next canary has arrived, and sends one if none is on its way.
    ///
    /// Errors:  Unavailable if the agent is not or no longer connected; Timeout after `patience`.
    void check(Agent& agent, Checked checked);

  private:
    /// The state of one agent's check beside `Agent::self_test`.
    struct Ear {
        UnixMs last_received_ms = 0;  ///< as of the last check
        int lost = 0;                 ///< lost canaries in a row
        int renewals = 0;             ///< new connections that did not help
        bool is_reported = false;     ///< people were notified that it is deaf
        std::chrono::steady_clock::time_point sent_at{};
        std::chrono::steady_clock::time_point
            reported_at{};  ///< when people were last notified of a recovery
        Loop::TimerId timer = 0;
        std::vector<Checked> waiting;
    };

    Ear& ear_of(const Agent& agent);
    void check_all();
    void check_agent(Agent& agent);
    void send(Agent& agent);
    void lost(Agent& agent);
    void went_deaf(Agent& agent);
    void still_deaf(Agent& agent, UnixMs since_ms);
    void hears(Agent& agent);
    void answer(Ear& ear, const Result<RoundTrip>& result);
    void write(const Agent& agent, const char* kind, UnixMs since_ms, bool event, bool notifies);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    Agents& agents_;
    mail::CatchUp& catch_up_;
    const outcome::Commits& commits_;
    const ListeningOptions options_;
    std::unordered_map<std::string, Ear> ears_;
};

/// Registers how notifications about mail that does not arrive are worded. Call before other
/// threads start.
void register_news();

}  // namespace a2h::health
