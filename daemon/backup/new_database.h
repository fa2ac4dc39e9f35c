#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::backup {

// The database of a home that was used before, but is empty or missing. Nothing then says what was
// answered, so that a history fetched from its beginning would be answered a second time.
//
// Source:  docs/operations.md, "When the database is lost".

/// Errors:  Corrupt if the home was used before and the file of its database has 0 bytes.
/// Thread:  any; before the database is opened.
Result<void> check_database_is_not_emptied(const control::Home& home);

/// If the home was used before and `db` never was: leaves what was sent before now to the human as
/// after a restore, and notifies the owner of `agent_id`. Otherwise changes nothing.
///
/// Thread:  as `db`, before anything else is stored.
Result<void> note_new_database(store::Database& db, const control::Home& home,
                               const consent::Policy& policy, const std::string& agent_id,
                               UnixMs now_ms);

/// When the database was begun anew, if that was less than a week ago; 0 otherwise.
///
/// Thread:  as `db`.
Result<UnixMs> new_database_since(store::Database& db, UnixMs now_ms);

}  // namespace a2h::backup
