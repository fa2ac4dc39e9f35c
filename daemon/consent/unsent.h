#pragma once

#include <optional>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::consent {

// A yes to words is carried out when they are queued. If they never leave after all, its outcome
// says so. The state of the outbox row (`dead`, `dropped`) tells everybody else, such as who looks
// for an agreement.
//
// Errors:  those of the store.
// Thread:  the store writer, inside the caller's transaction.

/// The approval, answered or not, that `message` names as its cause; nullopt if none is.
Result<std::optional<Approval>> yes_to(store::Database& db, const OutboxMessage& message);

/// Records that `message`, which a yes has released, was not sent; `why` is for people. Nothing if
/// no yes has released it.
Result<void> record_unsent(store::Database& db, const OutboxMessage& message, std::string_view why,
                           UnixMs now_ms);

/// Records that it is queued again, by a person who has decided so.
Result<void> record_queued_again(store::Database& db, const OutboxMessage& message, UnixMs now_ms);

}  // namespace a2h::consent
