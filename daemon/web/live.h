#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "core/http/server.h"
#include "core/store/database.h"
#include "daemon/kernel/loop.h"

namespace a2h::web {

/// Sends what happens to every open page, as server-sent events from the event table: event
/// `change` with `{"kind","subject","agent_id","at_ms"}` and the event's id, and `gap` if missed
/// events are no longer available completely.
///
/// Reads the table only while somebody listens. A comment line every 15 s keeps the connection
/// alive and detects a dead one.
///
/// Source:  the HTML standard, "Server-sent events".
class LiveFeed {
  public:
    static constexpr std::size_t kListenersMax = 64;
    static constexpr std::chrono::milliseconds kCheckEvery{150};
    static constexpr std::chrono::seconds kHeartbeat{15};

    /// `reader` belongs to the loop.
    LiveFeed(Loop& loop, store::Database& reader);
    ~LiveFeed();

    /// Sends to `stream` the events after `last_event_id`, or from now on if it is empty, as long
    /// as `still_allowed`, which runs on the loop with each heartbeat.
    ///
    /// Thread:  any.
    void add(std::shared_ptr<http::Stream> stream, std::string_view last_event_id,
             std::function<bool()> still_allowed);

  private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with tasks that wait on the loop
};

}  // namespace a2h::web
