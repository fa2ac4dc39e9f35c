#include "core/domain/outbox.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<OutboxState> kOutboxStateNames[] = {
    {OutboxState::Queued, "queued"},       {OutboxState::Sent, "sent"},
    {OutboxState::Delivered, "delivered"}, {OutboxState::Dead, "dead"},
    {OutboxState::Dropped, "dropped"},     {OutboxState::Held, "held"},
};
A2H_ENUM_NAMES(OutboxState, parse_outbox_state, kOutboxStateNames);

}  // namespace a2h
