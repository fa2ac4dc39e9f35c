#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::model {

/// One server-sent event.
struct StreamEvent {
    std::string name;  ///< of its `event` line; empty when there was none
    std::string data;  ///< of its `data` lines, joined by line breaks
};

/// Reads server-sent events from bytes that may be cut anywhere. Comments, ids and retry times are
/// read over; an event that the end of the stream cuts off is none.
///
/// Thread:  one at a time.
/// Source:  WHATWG HTML, 9.2.6 "Interpreting an event stream".
class EventStream {
  public:
    explicit EventStream(std::size_t event_bytes_max) : event_bytes_max_(event_bytes_max) {}

    /// Calls `on_event` for each event that is complete now; it may return false to end.
    /// Errors: ResourceExhausted when an event is larger than allowed; Conflict when `on_event`
    /// ended it. Nothing more is read afterwards.
    Result<void> push(std::string_view bytes, const std::function<bool(StreamEvent)>& on_event);

  private:
    Result<void> end_line(const std::function<bool(StreamEvent)>& on_event);
    void take_field();

    const std::size_t event_bytes_max_;
    std::string line_;
    StreamEvent event_;
    bool has_data_ = false;
    bool after_return_ = false;  ///< the line ended with CR; an LF belongs to it
    bool is_first_line_ = true;
};

}  // namespace a2h::model
