#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::model {

/// One server-sent event.
struct StreamEvent {
    std::string name;  ///< value of the `event` line; empty if there was none
    std::string data;  ///< values of the `data` lines, joined by line breaks
};

/// Parses server-sent events from bytes that may be split anywhere. Comments, ids and retry times
/// are ignored; an event cut off by the end of the stream is discarded.
///
/// Thread:  one at a time.
/// Source:  WHATWG HTML, 9.2.6 "Interpreting an event stream".
class EventStream {
  public:
    explicit EventStream(std::size_t event_bytes_max) : event_bytes_max_(event_bytes_max) {}

    /// Calls `on_event` for each event that is now complete. It may return false to stop.
    ///
    /// Errors:  ResourceExhausted if an event is larger than allowed; Conflict if `on_event`
    ///          stopped. Nothing more is read afterwards.
    Result<void> push(std::string_view bytes, const std::function<bool(StreamEvent)>& on_event);

  private:
    Result<void> end_line(const std::function<bool(StreamEvent)>& on_event);
    void take_field();

    const std::size_t event_bytes_max_;
    std::string line_;
    StreamEvent event_;
    bool has_data_ = false;
    bool after_return_ = false;  ///< the line ended with CR, so a following LF belongs to it
    bool is_first_line_ = true;
};

}  // namespace a2h::model
