#pragma once

#include <chrono>
#include <deque>
#include <optional>

namespace a2h::mqtt {

/// How an attempt or a connection ended.
enum class Loss {
    ConnectFailed,  ///< before the connection and subscription were accepted
    Refused,        ///< the broker refused our credentials or our subscription
    Closed,         ///< the connection broke, or the broker closed it without a reason
    Rejected,   ///< the same while one of our publishes had no answer yet, which may be the cause
    TakenOver,  ///< MQTT 5: the broker reported that another client has our client id (0x8E)
    Deaf,       ///< we closed it because nothing arrived
    NotStored,  ///< we closed it because a message could not be stored
};

/// The delays between attempts. The defaults are those of the protocol; tests use shorter ones.
///
/// Source:  docs/protocol.md, "MQTT".
struct ReconnectOptions {
    std::chrono::milliseconds first_delay{1'000};  ///< doubled after each failure
    std::chrono::milliseconds delay_max{30'000};
    double jitter = 0.2;  ///< each delay is varied by up to this share

    int takeover_reconnects = 5;  ///< this many within the window mean that another client exists
    std::chrono::milliseconds takeover_window{60'000};
    std::chrono::milliseconds takeover_delay{300'000};  ///< between attempts after that
    /// A connection that the other side closes without a reason sooner than this counts as taken
    /// over, as long as every reconnect is accepted at once (a restarting broker refuses
    /// connections for a while). MQTT 3.1.1 has no reason codes, and mosquitto 2.0.11 does not send
    /// them in MQTT 5 either.
    std::chrono::milliseconds short_lived{10'000};
};

/// Decides how long to wait before the next attempt, and whether another client uses our client id.
/// Pure: time and random numbers are arguments.
///
/// Thread:  one.
class ReconnectSchedule {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    explicit ReconnectSchedule(ReconnectOptions options) : options_(options) {}

    void connected(TimePoint now);

    /// The delay until the next attempt. `random` is uniform in [0, 1).
    std::chrono::milliseconds lost(Loss loss, TimePoint now, double random);

    /// True from the detection until a connection has lasted for the whole window.
    bool taken_over() const { return taken_over_; }

    /// When the current connection will have lasted long enough to end `taken_over`.
    std::optional<TimePoint> settles_at() const;
    /// Call at `settles_at`.
    void settle(TimePoint now);

  private:
    bool looks_taken_over(Loss loss, TimePoint now) const;
    void note_loss(Loss loss, TimePoint now);

    ReconnectOptions options_;
    int failures_ = 0;  ///< how often the delay was doubled
    std::optional<TimePoint> connected_at_;
    bool last_loss_was_takeover_ = false;
    std::deque<TimePoint> takeover_reconnects_;  ///< within the window; limited by the count
    bool taken_over_ = false;
};

}  // namespace a2h::mqtt
