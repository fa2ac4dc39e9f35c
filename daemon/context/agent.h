#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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

/// The result of the last call of the market's API.
struct MarketHealth {
    bool ok = false;
    std::string last_error;
    UnixMs last_ok_ms = 0;
};

/// State of the canary that goes through the broker and back. It distinguishes "no mail" from "mail
/// does not arrive".
struct SelfTest {
    std::string waiting_for;  ///< id of the canary that was sent; empty if none is on its way
    UnixMs sent_at_ms = 0;
    UnixMs last_ok_ms = 0;
    bool has_returned = false;  ///< a canary has come back on the present connection
    /// A call has waited in vain for a canary to return behind the mail before it; cleared by the
    /// next one that returns.
    bool is_behind = false;
    std::uint64_t sent_count = 0;      ///< canaries of this process
    std::uint64_t returned_count = 0;  ///< `sent_count` when the last one to return was sent
    bool failed = false;
    std::string detail;
    UnixMs deaf_since_ms = 0;  ///< when mail was last known to arrive; 0: it arrives
};

/// The market's events for an agent that its broker has not taken yet, as the market has said.
struct MarketNews {
    std::uint64_t asked = 0;     ///< questions of this process
    std::uint64_t answered = 0;  ///< the number of the last question to be answered
    bool is_asking = false;
    bool has_failed = false;  ///< the last question; cleared by the next answer
    std::chrono::steady_clock::time_point answered_at{};
    std::int64_t oldest = 0;  ///< as in the market's answer; 0: none waits
    std::int64_t newest = 0;
    /// A call has waited in vain for news that the market had; cleared by the next that has not.
    bool is_late = false;
};

/// The messages that were fetched from the market's history since a2hd was started.
struct HistoryFetches {
    UnixMs asked_ms = 0;     ///< end of the last complete fetch; 0: none
    bool everybody = false;  ///< it covered all senders; otherwise only known peers
    bool was_read = false;   ///< a complete fetch has ended, perhaps in an earlier process
    std::int64_t fetched = 0;
    std::uint64_t sessions_lost = 0;  ///< as counted in `mqtt::State`
    std::int64_t fetched_since_loss = 0;
    /// A session was lost and nobody has been notified, because no complete fetch has ended since.
    /// Includes losses of the previous process: `CatchUp::kLostSetting`.
    bool is_owed = false;
    UnixMs lost_at_ms = 0;          ///< when the loss was noticed
    std::uint64_t connections = 0;  ///< as counted in `mqtt::State`
    std::uint64_t covered = 0;      ///< `connections` when the last complete fetch began
    std::uint64_t begun = 0;        ///< fetches of this process
    std::uint64_t ended = 0;        ///< the number of the last one to be complete
    /// A fetch has failed, or a call has waited for one in vain; cleared by the next complete one.
    bool is_late = false;
    std::chrono::steady_clock::time_point failed_at{};  ///< of the last fetch; zero: not failed

    /// The history may have mail that the broker will not deliver. A broker that crashes can lose
    /// mail and keep the session, so this is so from each connection until a fetch has ended.
    bool is_behind() const { return is_owed || is_late || covered < connections; }
};

/// Receives for one agent what the broker or the market's history delivers.
///
/// Errors:  of both functions: the message was not stored and may be delivered again. Timeout if it
///          could not be committed in time; otherwise those of the database.
class Intake {
  public:
    virtual ~Intake() = default;
    /// Stores a message, or refuses it for good. After success the PUBACK may be sent.
    ///
    /// Thread:  any but the loop.
    virtual Result<void> on_message(std::string_view payload) = 0;
    /// The same for messages of the market's history. What was sent before
    /// `other_instance_before_ms` may have been answered by another instance of the agent, so it is
    /// stored but not decided.
    ///
    /// Units:   unix ms.
    virtual Result<void> on_history(std::string_view payload, UnixMs other_instance_before_ms) = 0;
};

/// One local agent at run time.
///
/// Thread:  the loop, except `connection`, `platform` and `intake`, which may be used from any
///          thread.
struct Agent {
    /// One of the owner's own agents, the `number`th that the home took in, counted from 0.
    Agent(platform::AgentIdentity known, std::size_t number)
        : identity(std::move(known)), place(number) {}
    /// One that the agent `creator_id` has created.
    Agent(platform::AgentIdentity known, std::string creator_id)
        : identity(std::move(known)), parent_id(std::move(creator_id)) {}

    platform::AgentIdentity identity;  ///< the market adds its key when it registers the agent
    const std::size_t place = 0;
    const std::string parent_id;  ///< empty for the owner's own agents

    /// All three are null as long as the market does not know the agent: it communicates only
    /// within the home. They are set together.
    std::unique_ptr<platform::Client> platform;
    std::unique_ptr<Intake> intake;
    std::unique_ptr<mqtt::Connection> connection;

    bool is_registered = true;  ///< the market knows it, so that its API can be called
    bool is_stopped = false;    ///< permanently: it reads and sends nothing any more

    /// It is not connected here: another instance acts for it, or this process does not serve.
    bool stays_offline = false;
    bool connected = false;  ///< as known to the loop; follows mqtt::State
    std::vector<Listing> listings;
    std::shared_ptr<const reading::ListingIndex> listing_index;  ///< the index of the last decision
    MarketHealth market;
    /// The market has described itself (`GET /v1/market`), so it follows our rules (R13).
    bool market_has_our_rules = false;
    SelfTest self_test;
    MarketNews news;
    std::chrono::steady_clock::time_point
        next_catch_up{};               ///< the earliest time of the next catch-up (steady clock)
    std::uint64_t catch_up_timer = 0;  ///< the timer of a pending catch-up; 0: none
    bool is_catching_up = false;
    HistoryFetches history;
    std::string session_at;  ///< the broker that has had a session of the agent; empty: none yet
    /// Arrival times of accepted messages in each peer's name within the last minute. Authentic
    /// messages and unverifiable ones are counted separately (R49).
    std::unordered_map<std::string, std::deque<UnixMs>> recent_arrivals;
    std::unordered_map<std::string, std::deque<UnixMs>> unproved_arrivals;
};

/// All local agents, by id. A login or another agent adds one while the loop runs; none is removed.
using Agents = std::unordered_map<std::string, std::unique_ptr<Agent>>;

}  // namespace a2h
