#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "core/store/database.h"

namespace a2h {

/// The mail for the agents of this home that has reached the broker and has not been received.
///
/// Thread:  the loop.
/// Source:  docs/rulings.md, R46 and R52.
class UnreadMail {
  public:
    /// How long a decision waits for mail that could change it.
    static constexpr std::chrono::seconds kReadingMax{5};

    /// Calls `then`, at once if there is nothing to wait for and at the latest after `patience`.
    /// `is_read` is false if mail for a connected agent may still be at the broker by then.
    virtual void read_first(std::chrono::milliseconds patience,
                            std::function<void(bool is_read)> then) const = 0;
    /// The same, but `is_read` is also false while an agent of this home is offline or has not
    /// fetched its history from the market.
    virtual void read_all(std::chrono::milliseconds patience,
                          std::function<void(bool is_read)> then) const = 0;

    /// `read_all` before a decision that a mandate of `agent_id` could answer: no mandate says yes
    /// while words may wait unread that give the matter another meaning. Calls `then` with true at
    /// once if the agent has no mandate in `db`.
    void read_for_mandate(store::Database& db, std::string_view agent_id,
                          std::function<void(bool is_read)> then) const;

  protected:
    ~UnreadMail() = default;
};

}  // namespace a2h
