#pragma once

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <unordered_map>

#include "core/base/guarded.h"

namespace a2h::http {

/// A connection as seen by its server.
class OpenConnection {
  public:
    virtual ~OpenConnection() = default;
    /// Closes at once if nothing is being answered, otherwise after the answer.
    ///
    /// Thread:  any.
    virtual void stop() = 0;
};

/// The open connections of a server.
///
/// Thread:  any.
class OpenConnections {
  public:
    explicit OpenConnections(std::size_t connections_max) : max_(connections_max) {}

    /// False if there are too many, or if none are accepted any more. Each connection that entered
    /// must leave before it is destroyed.
    bool enter(const std::shared_ptr<OpenConnection>& connection);
    void leave(const OpenConnection& connection);

    /// Stops all open connections; no further ones may enter. Call at most once.
    void stop();
    /// Waits for `stop` and for the last connection to leave, at most for `patience`. Call at most
    /// once.
    void wait_until_gone(std::chrono::milliseconds patience);

  private:
    struct State {
        std::unordered_map<const OpenConnection*, std::weak_ptr<OpenConnection>> open;
        bool stopping = false;

        bool is_over() const { return stopping && open.empty(); }
    };

    const std::size_t max_;
    Guarded<State> state_;
    std::promise<void> gone_;  ///< set when `State::is_over` becomes true
};

}  // namespace a2h::http
