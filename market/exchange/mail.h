#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// Takes what one agent sent another over the broker into their session, where it counts like what
/// is said over HTTP: an acceptance makes a deal. The session is the one that `payload.session_id`
/// names, or that of the offer which is accepted or rejected, or the newest of the two; without
/// one nothing happens. Fields of the payload that sessions do not know are left out.
///
/// A deal is told to both; an acceptance or rejection that comes too late is told to its sender.
/// The same message again changes nothing.
/// Errors:  those of the database only.
/// Source:  docs/protocol.md, "Exchange".
Result<void> take_mail(db::Database& database, std::string_view envelope_json, UnixMs now_ms);

}  // namespace a2h::market
