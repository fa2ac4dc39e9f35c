#include "daemon/model/sse.h"

#include <utility>

namespace a2h::model {

void EventStream::take_field() {
    std::string_view line = line_;
    if (std::exchange(is_first_line_, false) && line.starts_with("\xEF\xBB\xBF")) {
        line.remove_prefix(3);
    }
    const auto colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    std::string_view value =
        colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (name == "event") event_.name = value;
    if (name != "data") return;
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
}

Result<void> EventStream::end_line(const std::function<bool(StreamEvent)>& on_event) {
    if (!line_.empty()) {
        take_field();
        line_.clear();
        return {};
    }
    StreamEvent event = std::exchange(event_, {});
    if (!std::exchange(has_data_, false)) return {};
    if (!on_event(std::move(event))) return fail(ErrorCode::Conflict, "ended by the caller");
    return {};
}

Result<void> EventStream::push(std::string_view bytes,
                               const std::function<bool(StreamEvent)>& on_event) {
    for (const char c : bytes) {
        if (std::exchange(after_return_, c == '\r') && c == '\n') continue;
        if (c == '\n' || c == '\r') {
            A2H_TRY(end_line(on_event));
            continue;
        }
        line_ += c;
        if (line_.size() + event_.data.size() + event_.name.size() > event_bytes_max_) {
            return fail(ErrorCode::ResourceExhausted, "an event of the answer is larger than " +
                                                          std::to_string(event_bytes_max_) +
                                                          " bytes");
        }
    }
    return {};
}

}  // namespace a2h::model
