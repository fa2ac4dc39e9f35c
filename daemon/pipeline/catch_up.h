#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/agent.h"
#include "daemon/context.h"
#include "daemon/pipeline/receiver.h"

namespace a2h::pipeline {

/// Compares the inbox with the market's history after the agent was away: what a known peer sent
/// and the broker did not keep is taken in as if it had just arrived, by the same checks, and what
/// is there already is dropped as a duplicate; what another instance may have answered is left to
/// the human, see elsewhere.h. The newest `kPeersMax` peers, the newest
/// `kPagesMax * kPageSize` messages of each, at most once every `kPause`.
///
/// A market that has no history changes nothing: the broker's own delivery goes on. One that is
/// away or answers nonsense, and a disk that fails, are tried again after `kPause`, as long as the
/// agent is connected. Thread: the loop; requests and commits run on workers.
class CatchUp {
  public:
    static constexpr int kPeersMax = 50;
    static constexpr int kPageSize = 50;
    static constexpr int kPagesMax = 4;
    static constexpr std::chrono::minutes kPause{1};
    /// What the broker has kept comes first.
    static constexpr std::chrono::seconds kDelay{2};

    using ReceiverOf = std::function<Receiver&(const std::string& agent_id)>;
    CatchUp(const Context& context, ReceiverOf receiver_of);

    /// Call when the agent has connected. Soon after `kDelay`; later when `kPause` is not over.
    void start(Agent& agent);

  private:
    /// How often a broker that still delivers is waited for.
    static constexpr int kPatience = 60;

    struct Round;
    void due(Agent& agent);
    void begin(Agent& agent, int patience);
    void fetch(const std::shared_ptr<Round>& round);
    void fetched(const std::shared_ptr<Round>& round, Result<std::vector<std::string>> page);
    void take(const std::shared_ptr<Round>& round);
    void next_peer(const std::shared_ptr<Round>& round);
    void finish(const Round& round);

    const Context& context_;
    const ReceiverOf receiver_of_;
};

}  // namespace a2h::pipeline
