#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Compares the inbox with the market's history after the agent was away: what was sent and the
/// broker did not keep is taken in as if it had just arrived, by the same checks, and what is there
/// already is dropped as a duplicate; what another instance may have answered is left to the human,
/// see elsewhere.h. At most once every `kPause`.
///
/// The market is asked what anybody has sent behind the place that the last look came to, or from
/// the beginning, at most `kIncomingPagesMax` pages at once. A place is stored only after what is
/// before it, so that a crash in between loses nothing. A platform that does not tell (404, or
/// anything but a passing failure where the market is not ours) is asked for the known peers, one
/// by one: the newest `kPeersMax` of them, the newest `kPagesMax * kPageSize` messages of each.
/// What others wrote is then missing, and `Agent::history` says so.
///
/// A market that has no history changes nothing: the broker's own delivery goes on. One that is
/// away or answers nonsense, and a disk that fails, are tried again after `kPause`, as long as the
/// agent is connected. A lost session is told once its look is done: event
/// "listening.session_lost". Thread: the loop; requests and commits run on workers.
class CatchUp {
  public:
    static constexpr int kPeersMax = 50;
    static constexpr int kPageSize = 50;
    static constexpr int kPagesMax = 4;
    static constexpr int kIncomingPageSize = 100;
    static constexpr int kIncomingPagesMax = 100;
    static constexpr std::chrono::minutes kPause{1};
    /// When a lost session was noticed that nobody has been told of yet, unix ms; 0: none.
    static constexpr std::string_view kLostSetting = "mqtt.session_lost_at_ms";
    /// What the broker has kept comes first.
    static constexpr std::chrono::seconds kDelay{2};

    CatchUp(const kernel::Services& kernel, const Current<Config>& config,
            const outcome::Commits& commits);

    /// Call when the agent has connected. Soon after `kDelay`; later when `kPause` is not over.
    void start(Agent& agent);

  private:
    /// How often a broker that still delivers is waited for.
    static constexpr int kPatience = 60;

    /// What a text of the history is.
    enum class Found { NoMail, Known, Missing };
    struct Round;
    void due(Agent& agent);
    void begin(Agent& agent, int patience);
    void fetch(const std::shared_ptr<Round>& round);
    void fetched(const std::shared_ptr<Round>& round, Result<platform::IncomingPage> page);
    void taken_until(const std::shared_ptr<Round>& round, std::int64_t after, bool more);
    void ask_known_peers(const std::shared_ptr<Round>& round);
    void fetch_peer(const std::shared_ptr<Round>& round);
    void fetched_peer(const std::shared_ptr<Round>& round, Result<std::vector<std::string>> page);
    void next_peer(const std::shared_ptr<Round>& round);
    Result<Found> look_up(const Round& round, const std::string& text) const;
    void take(const std::shared_ptr<Round>& round, std::function<void()> then);
    void stop(const std::shared_ptr<Round>& round);
    void finish(const Round& round);
    void tell_of_lost_session(Agent& agent);

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::mail
