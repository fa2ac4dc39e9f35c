#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/http/server.h"
#include "core/store/database.h"
#include "daemon/kernel/loop.h"
#include "daemon/kernel/metrics.h"

namespace a2h::web {

/// Sends the history of a negotiation to everybody who follows it, as server-sent events: those of
/// `collab::event_view` with `evt-…` as id, and `gap` before all stored events if missed ones are
/// no longer available.
///
/// Reads the table only while somebody listens, once for all readers. A reader that does not accept
/// the data is disconnected and counted; it reconnects with its last id.
///
/// Source:  docs/rulings.md, R36; the HTML standard, "Server-sent events".
class NegotiationFeed {
  public:
    static constexpr std::size_t kReadersMax = 1'500;
    static constexpr std::chrono::milliseconds kCheckEvery{150};
    static constexpr std::chrono::seconds kHeartbeat{15};

    /// `reader` belongs to the loop.
    NegotiationFeed(Loop& loop, store::Database& reader, kernel::Metrics& metrics);
    ~NegotiationFeed();

    /// Sends to `stream` the history of `demand_id` after `last_event_id`, or from its beginning if
    /// that is empty, as long as `still_allowed`, which runs on the loop with each heartbeat.
    ///
    /// Thread:  any.
    void add(std::shared_ptr<http::Stream> stream, std::string demand_id,
             std::string_view last_event_id, std::function<bool()> still_allowed);

  private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with tasks that wait on the loop
};

}  // namespace a2h::web
