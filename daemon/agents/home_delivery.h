#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::agents {

/// The delivery to the receiving mailbox of this home: an ordinary message, except for its path.
struct HomeDelivery {
    OutboxMessage message;
    InboxMessage arrival;     ///< `id` is set by `deliver_at_home`
    std::string sender_role;  ///< for the contact of a new sender; may be empty
    std::string sender_key_id;
    std::string sender_public_key;
};

/// `envelope` is `message` as signed by its sender.
///
/// Errors:  InvalidArgument if the target would refuse it.
/// Thread:  any.
Result<HomeDelivery> new_home_delivery(const OutboxMessage& message, const std::string& envelope,
                                       UnixMs now_ms);

/// Writes inbox row, job, contact and the end of the outbox row in the caller's transaction, so
/// that the message arrives exactly once. False if the outbox row, or the same message in the
/// inbox, shows that it was settled before.
///
/// Thread:  the store writer.
Result<bool> deliver_at_home(store::Database& db, HomeDelivery& delivery, UnixMs now_ms);

}  // namespace a2h::agents
