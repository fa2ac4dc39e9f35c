#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::house {

/// What the other mailbox of this house gets: a message as any other, but for the way it came.
struct HomeDelivery {
    OutboxMessage message;
    InboxMessage arrival;     ///< `id` is set by `deliver_at_home`
    std::string sender_role;  ///< for the contact of who writes first; may be empty
    std::string sender_key_id;
    std::string sender_public_key;
};

/// `envelope` is `message` as its sender has signed it. Errors: InvalidArgument when the target
/// would refuse it. Thread: any.
Result<HomeDelivery> new_home_delivery(const OutboxMessage& message, const std::string& envelope,
                                       UnixMs now_ms);

/// Inbox row, task, contact and the end of the outbox row, in the caller's transaction: all of it
/// or none, so the message arrives once whatever happens. False when the outbox row, or the same
/// message in the inbox, says that it was settled before. Thread: the store writer.
Result<bool> deliver_at_home(store::Database& db, HomeDelivery& delivery, UnixMs now_ms);

}  // namespace a2h::house
