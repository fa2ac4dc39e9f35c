#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "core/http/server.h"
#include "core/store/database.h"
#include "daemon/kernel/loop.h"

namespace a2h::web {

/// Tells every page that is open what happens, as server-sent events, from the event table: event
/// `change` with `{"kind","subject","agent_id","at_ms"}` and the event's id, and `gap` when what a
/// page missed is no longer known in full.
///
/// Looks at the table while somebody listens, and never else. A line of comment every 15 s keeps
/// the connection alive and shows when it is dead.
///
/// Source: the HTML standard, "Server-sent events".
class LiveFeed {
  public:
    static constexpr std::size_t kListenersMax = 64;
    static constexpr std::chrono::milliseconds kLookEvery{150};
    static constexpr std::chrono::seconds kHeartbeat{15};

    /// `reader` belongs to the loop.
    LiveFeed(Loop& loop, store::Database& reader);
    ~LiveFeed();

    /// Sends to `stream` what comes after the event `last_event_id`, or, when that is empty, from
    /// now on; as long as `still_allowed`, which runs on the loop with each heartbeat. Thread: any.
    void add(std::shared_ptr<http::Stream> stream, std::string_view last_event_id,
             std::function<bool()> still_allowed);

  private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with what waits on the loop
};

}  // namespace a2h::web
