#include "core/domain/outbox.h"

#include "core/base/check.h"

namespace a2h {

std::string_view to_string(OutboxState value) {
    switch (value) {
        case OutboxState::Queued:
            return "queued";
        case OutboxState::Sent:
            return "sent";
        case OutboxState::Delivered:
            return "delivered";
        case OutboxState::Dead:
            return "dead";
        case OutboxState::Dropped:
            return "dropped";
        case OutboxState::Held:
            return "held";
    }
    A2H_CHECK(false);
}

std::optional<OutboxState> parse_outbox_state(std::string_view text) {
    if (text == "queued") return OutboxState::Queued;
    if (text == "sent") return OutboxState::Sent;
    if (text == "delivered") return OutboxState::Delivered;
    if (text == "dead") return OutboxState::Dead;
    if (text == "dropped") return OutboxState::Dropped;
    if (text == "held") return OutboxState::Held;
    return std::nullopt;
}

}  // namespace a2h
