#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/listing.h"
#include "core/mqtt/connection.h"
#include "core/platform/client.h"
#include "core/platform/identity.h"

namespace a2h::reading {
class ListingIndex;
}

namespace a2h {

/// What the last look at the market's API said.
struct MarketHealth {
    bool ok = false;
    std::string last_error;
    UnixMs last_ok_ms = 0;
};

/// The canary that goes through the broker and back: the difference between "no mail" and "deaf".
struct SelfTest {
    std::string waiting_for;  ///< message id under way; empty when none is
    UnixMs sent_at_ms = 0;
    UnixMs last_ok_ms = 0;
    bool failed = false;
    std::string detail;
    UnixMs deaf_since_ms = 0;  ///< when it was last known to hear; 0: it hears
};

/// What the market's history was asked for since a2hd was started, and what it brought.
struct HistoryLooks {
    UnixMs asked_ms = 0;     ///< when the last whole look ended; 0: none did
    bool everybody = false;  ///< it told of everybody who wrote; else of known peers only
    std::int64_t fetched = 0;
    std::uint64_t sessions_lost = 0;  ///< as `mqtt::State` counts them
    std::int64_t fetched_since_loss = 0;
    /// A session was lost, and nobody has been told since, because no whole look has ended. Of the
    /// process before as well: `CatchUp::kLostSetting`.
    bool is_owed = false;
    UnixMs lost_at_ms = 0;  ///< when that was noticed
};

/// Takes in what the broker, or the market's history, brings for one agent.
class Intake {
  public:
    virtual ~Intake() = default;
    /// Success: the message is stored, or refused for good; PUBACK may leave. Error: not stored.
    /// Thread: any but the loop.
    virtual Result<void> on_message(std::string_view payload) = 0;
    /// The same for what the market's history says. What was sent before `elsewhere_before_ms` may
    /// have been answered by another instance of the agent: it is stored, and nobody decides it.
    virtual Result<void> on_history(std::string_view payload, UnixMs elsewhere_before_ms) = 0;
};

/// One local agent at run time. Thread: the loop, except `connection`, `platform` and `intake`,
/// which may be used from anywhere.
struct Agent {
    platform::AgentIdentity identity;
    std::unique_ptr<platform::Client> platform;
    /// Null for an agent that the market does not know, as is `connection`: it speaks within the
    /// house only.
    std::unique_ptr<Intake> intake;
    std::unique_ptr<mqtt::Connection> connection;

    std::string parent_id;      ///< who made it; empty for the owner's own
    bool is_registered = true;  ///< the market knows it, so that its API can be called
    bool is_stopped = false;    ///< for good: it reads and sends nothing any more

    bool connected = false;  ///< the loop's view; follows mqtt::State
    std::vector<Listing> listings;
    std::shared_ptr<const reading::ListingIndex> listing_index;  ///< of the last decision
    MarketHealth market;
    /// The market published itself (`GET /v1/market`), so its rules are ours (R13).
    bool market_has_our_rules = false;
    SelfTest self_test;
    std::chrono::steady_clock::time_point next_catch_up{};  ///< not before
    std::uint64_t catch_up_timer = 0;                       ///< of the one that is due; 0: none
    bool is_catching_up = false;
    HistoryLooks history;
    std::string session_at;  ///< where a broker has had a session of it; empty: nowhere yet
    /// Arrival times of the accepted messages in each peer's name within the last minute: of those
    /// that are authentic, and apart from them of those that nobody could check (R49).
    std::unordered_map<std::string, std::deque<UnixMs>> recent_arrivals;
    std::unordered_map<std::string, std::deque<UnixMs>> unproved_arrivals;
};

/// All local agents, by id. A login or another agent adds one while the loop runs; none is ever
/// removed.
using Agents = std::unordered_map<std::string, std::unique_ptr<Agent>>;

}  // namespace a2h
