#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"
#include "daemon/mail/catch_up.h"
#include "daemon/mail/receiver.h"
#include "daemon/outcome/commits.h"

namespace a2h::health {

/// The defaults notice a subscription that died after 100 s at most, mostly after 70 s.
struct ListeningOptions {
    std::chrono::milliseconds interval{30'000};  ///< between two looks at an agent
    std::chrono::milliseconds patience{20'000};  ///< which a canary has for its way
};

/// $A2H_CANARY_INTERVAL_MS and $A2H_CANARY_PATIENCE_MS where they are set: for tests, and for
/// brokers that are very far away.
ListeningOptions listening_options();

/// Sees to it that no agent is deaf: "no mail" means that there is no mail.
///
/// An agent that received nothing since the last look, and each that has just connected, sends
/// itself a canary through the broker. When it is lost, a second one is sent at once; when that is
/// lost too, the agent is deaf: its connection is made anew, with a subscription of its own. Where
/// that does not help it is done again after four and then every eight canaries. Anything that
/// arrives shows that it hears.
///
/// Each change is an event ("listening.deaf", "listening.healed"). People are told when a new
/// connection did not help within one and a half times `patience`, and when that has healed; of
/// what healed by itself at most once in `kQuietFor`.
///
/// Thread: the loop.
class Listening final : public mail::SelfTests {
  public:
    static constexpr std::chrono::hours kQuietFor{1};

    /// Where something may have come while an agent was deaf, `catch_up` fetches it.
    Listening(const kernel::Services& kernel, const Current<Config>& config, Agents& agents,
              mail::CatchUp& catch_up, const outcome::Commits& commits,
              ListeningOptions options = listening_options());

    void start();
    void connected(Agent& agent);
    void disconnected(Agent& agent);
    /// The canary `message_id` has arrived.
    void returned(const std::string& agent_id, const std::string& message_id) override;

    /// What one canary tells.
    struct RoundTrip {
        std::chrono::milliseconds took{};
        /// By how much the machine's clock moved more than time itself meanwhile.
        std::chrono::milliseconds clock_step{};
    };
    using Checked = std::function<void(const Result<RoundTrip>&)>;
    /// Tells when the next canary has arrived, and sends one if none is under way. Errors:
    /// Unavailable when the agent is not connected, or is no longer; Timeout after `patience`.
    void check(Agent& agent, Checked checked);

  private:
    /// What is known of one agent's hearing beside `Agent::self_test`.
    struct Ear {
        UnixMs last_received_ms = 0;  ///< as seen at the last look
        int lost = 0;                 ///< canaries in a row
        int renewals = 0;             ///< new connections that did not help
        bool told = false;            ///< people know that it is deaf
        std::chrono::steady_clock::time_point sent_at{};
        std::chrono::steady_clock::time_point told_at{};  ///< of the last healing
        Loop::TimerId timer = 0;
        std::vector<Checked> waiting;
    };

    Ear& ear_of(const Agent& agent);
    void look();
    void look_at(Agent& agent);
    void send(Agent& agent);
    void lost(Agent& agent);
    void went_deaf(Agent& agent);
    void still_deaf(Agent& agent, UnixMs since_ms);
    void hears(Agent& agent);
    void answer(Ear& ear, const Result<RoundTrip>& result);
    void write(const Agent& agent, const char* kind, UnixMs since_ms, bool event, bool tell);

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    Agents& agents_;
    mail::CatchUp& catch_up_;
    const outcome::Commits& commits_;
    const ListeningOptions options_;
    std::unordered_map<std::string, Ear> ears_;
};

}  // namespace a2h::health
