#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/envelope.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Compares the inbox with the market's history after the agent was away. Messages that the broker
/// did not keep are processed as if they had just arrived, with the same checks; known ones are
/// dropped as duplicates; those that another instance may have answered are left to the human
/// (other_instance.h). Runs once for each connection, and before decisions that depend on what the
/// peer has said, because a broker drops a message whose sender let it expire.
///
/// The market is asked for all messages after the position of the last fetch, or from the
/// beginning, at most `kIncomingPagesMax` pages at once. A position is stored only after the
/// messages before it, so a crash loses nothing. A platform that does not offer this (404, or any
/// permanent failure of a foreign market) is asked for the known peers one by one: the newest
/// `kPeersMax` of them, and the newest `kPagesMax * kPageSize` messages of each. Messages of others
/// are then missing, and `Agent::history` says so.
///
/// With a market that has no history, nothing changes, and only the broker delivers. After a
/// failure of market or disk the fetch is tried again after `kPause`, as long as the agent is
/// connected. A lost session is reported when its fetch has ended: event "listening.session_lost".
///
/// Thread:  the loop; requests and commits run on workers.
class CatchUp {
  public:
    static constexpr int kPeersMax = 50;
    static constexpr int kPageSize = 50;
    static constexpr int kPagesMax = 4;
    static constexpr int kIncomingPageSize = 100;
    static constexpr int kIncomingPagesMax = 100;
    static constexpr std::chrono::minutes kPause{1};       ///< after a fetch that failed
    static constexpr std::chrono::seconds kShortPause{2};  ///< the same for `fetch_now`
    /// When a lost session was noticed that has not been reported yet, unix ms; 0: none.
    static constexpr std::string_view kLostSetting = "mqtt.session_lost_at_ms";
    /// Leaves time for the messages that the broker has kept.
    static constexpr std::chrono::seconds kDelay{2};

    CatchUp(const kernel::Kernel& kernel, const Current<Config>& config,
            const outcome::Commits& commits);

    /// Call when the agent has connected. Starts after `kDelay`, or later if `kPause` is not over.
    void start(Agent& agent);
    /// Starts at once what waits for `kDelay`: the broker has delivered what it had kept.
    void broker_is_read(Agent& agent);
    /// Starts a fetch unless one is under way or has just failed. `Agent::history` tells when it
    /// has ended.
    void fetch_now(Agent& agent);

  private:
    /// How often a fetch waits for a broker that is still delivering.
    static constexpr int kPatience = 60;

    /// The kind of a message in the history.
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
    Result<Found> look_up_refused(const Round& round, const wire::RefusedEnvelope& refused) const;
    Result<Found> is_recorded(const Round& round, const std::string& sender_id,
                              const std::string& digest) const;
    void take(const std::shared_ptr<Round>& round, std::function<void()> then);
    void stop(const std::shared_ptr<Round>& round);
    void finish(const Round& round);
    void note_other_instance_read(const Round& round);
    void notify_of_lost_session(Agent& agent);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::mail
