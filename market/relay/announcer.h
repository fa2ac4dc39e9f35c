#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/guarded.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/event_store.h"
#include "market/store/relay_store.h"

namespace a2h::market {

/// Sends the queued events as envelopes of the market's own agent.
///
/// When the broker has acknowledged an event, its row is deleted and its envelope kept for the
/// history. Until then it is sent again after every failure and restart, always with the message id
/// of the row, so that the receiver recognises duplicates. Each target has one event in flight, so
/// the order is that of the rows.
///
/// Thread:  one; results of `publish` arrive on any.
class Announcer {
  public:
    using Done = std::function<void(Result<void>)>;
    /// Publishes at QoS 1; the result arrives exactly once.
    using Publish = std::function<void(std::string topic, std::string payload, Done done)>;

    static constexpr std::size_t kInFlightMax = 256;

    /// `wake` is called, on any thread, when another `round` has work to do. All arguments must
    /// outlive it, and no result of `publish` may arrive after its destruction.
    Announcer(db::Database& database, const Clock& clock, const OwnAgent& own, Publish publish,
              std::function<void()> wake);

    /// Settles acknowledged events and, while `connected`, publishes waiting ones.
    ///
    /// Errors:  those of the database; the next round tries again.
    Result<void> round(bool connected);

    std::uint64_t sent() const { return sent_; }

  private:
    struct Sent {
        Event event;
        std::string envelope;  ///< empty: cannot be sent at all
    };
    struct Outcome {
        std::int64_t event_id = 0;
        bool acknowledged = false;
    };

    void take_outcomes();
    Result<void> settle();
    Result<void> keep_acknowledged(db::Transaction& transaction) const;
    Result<void> publish_waiting();
    void publish(const Event& event);

    db::Database& database_;
    const Clock& clock_;
    const OwnAgent& own_;
    const Publish publish_;
    const std::function<void()> wake_;

    std::map<std::int64_t, Sent>
        in_flight_;  ///< keyed by event id; includes events that are not deleted yet
    std::set<std::string> busy_targets_;
    std::vector<std::int64_t> acknowledged_;
    Guarded<std::vector<Outcome>> outcomes_;
    std::uint64_t sent_ = 0;
};

}  // namespace a2h::market
