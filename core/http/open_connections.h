#pragma once

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <unordered_map>

#include "core/base/guarded.h"

namespace a2h::http {

/// A connection as its server sees it.
class OpenConnection {
  public:
    virtual ~OpenConnection() = default;
    /// Ends at once when nothing is being answered, else after the answer. Thread: any.
    virtual void stop() = 0;
};

/// Who is connected to a server. Thread: any.
class OpenConnections {
  public:
    explicit OpenConnections(std::size_t connections_max) : max_(connections_max) {}

    /// False when there are too many, or none may come any more. Who entered leaves before its end.
    bool enter(const std::shared_ptr<OpenConnection>& connection);
    void leave(const OpenConnection& connection);

    /// Stops all that are open; none may enter any more. At most once.
    void stop();
    /// Waits for `stop` and for the last one to leave, but not longer than `patience`. At most
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
    std::promise<void> gone_;  ///< kept when `State::is_over` becomes true
};

}  // namespace a2h::http
