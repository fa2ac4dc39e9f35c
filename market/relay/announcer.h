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
/// A row is deleted, and its envelope kept for the history, after the broker has acknowledged it;
/// until then it is sent again after every failure and every restart, always with the message id of
/// the row, so that its receiver takes it once. A target has one event in flight, so its order is
/// that of the rows.
/// Thread: one; `publish`'s answers come on any.
class Announcer {
  public:
    using Done = std::function<void(Result<void>)>;
    /// Publishes at QoS 1; the answer comes exactly once.
    using Publish = std::function<void(std::string topic, std::string payload, Done done)>;

    static constexpr std::size_t kInFlightMax = 256;

    /// `wake` is called, on any thread, when another `round` has something to do. All must outlive
    /// it, and no answer of `publish` may come after it.
    Announcer(db::Database& database, const Clock& clock, const OwnAgent& own, Publish publish,
              std::function<void()> wake);

    /// Settles what was acknowledged and, while `connected`, publishes what waits.
    /// Errors: those of the database; the next round tries again.
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

    std::map<std::int64_t, Sent> in_flight_;  ///< by event id; also what is not yet deleted
    std::set<std::string> busy_targets_;
    std::vector<std::int64_t> acknowledged_;
    Guarded<std::vector<Outcome>> outcomes_;
    std::uint64_t sent_ = 0;
};

}  // namespace a2h::market
