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

/// Tells everybody who follows a negotiation its story, as server-sent events: those of
/// `collab::event_view` with `evt-…` as id, and `gap` before all that is kept when what a reader
/// missed is not.
///
/// Looks at the table while somebody listens, once for all of them. A reader that does not take
/// what it is sent is cut off and counted; it comes back with the last id that it has.
///
/// Source: docs/rulings.md, R36; the HTML standard, "Server-sent events".
class NegotiationFeed {
  public:
    static constexpr std::size_t kReadersMax = 1'500;
    static constexpr std::chrono::milliseconds kLookEvery{150};
    static constexpr std::chrono::seconds kHeartbeat{15};

    /// `reader` belongs to the loop.
    NegotiationFeed(Loop& loop, store::Database& reader, kernel::Metrics& metrics);
    ~NegotiationFeed();

    /// Sends to `stream` what comes after `last_event_id` in the story of `demand_id`, from its
    /// beginning when that is empty; as long as `still_allowed`, which runs on the loop with each
    /// heartbeat. Thread: any.
    void add(std::shared_ptr<http::Stream> stream, std::string demand_id,
             std::string_view last_event_id, std::function<bool()> still_allowed);

  private:
    struct State;
    std::shared_ptr<State> state_;  ///< shared with what waits on the loop
};

}  // namespace a2h::web
