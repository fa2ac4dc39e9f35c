#include "core/domain/outbox.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<OutboxState> kOutboxStateNames[] = {
    {OutboxState::Queued, "queued"},       {OutboxState::Sent, "sent"},
    {OutboxState::Delivered, "delivered"}, {OutboxState::Dead, "dead"},
    {OutboxState::Dropped, "dropped"},     {OutboxState::Held, "held"},
};
static_assert(names_all(kOutboxStateNames));

std::string_view to_string(OutboxState value) {
    return name_of(kOutboxStateNames, value);
}

std::optional<OutboxState> parse_outbox_state(std::string_view text) {
    return value_of(kOutboxStateNames, text);
}

}  // namespace a2h
