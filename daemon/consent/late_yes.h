#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::consent {

// Whether what a mandate has approved may still be done although it could not be done at once. A
// person's yes stands until it is used (R52).
//
// Errors:  those of the database.
// Thread:  that of `db`.

/// The id of the mandate that gave `yes`; empty if a person did.
std::string mandate_of(const Approval& yes);

/// Whether the mandate of `yes` was revoked or has ended, the offer that it accepts has ended, or
/// the owner has changed a listing since.
Result<bool> has_ended(store::Database& db, const Approval& yes, UnixMs now_ms);

/// True if the mandate of `yes` would still give it: nothing has ended, and the peer has neither
/// written since nor left anything else open.
Result<bool> still_stands(store::Database& db, const Approval& yes, UnixMs now_ms);

/// The `wire::listing_digest` that the mandate of `yes` was given for; empty if it names none.
Result<std::string> pinned_listing(store::Database& db, const Approval& yes);

}  // namespace a2h::consent
