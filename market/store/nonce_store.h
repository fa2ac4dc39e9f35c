#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/db/sqlite_connection.h"

namespace a2h::market::store {

// Stores the nonces of signed requests, in a table of the database or in a file of their own.
//
// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Creates the table in a file of its own. After a power failure the last rows may be missing.
Result<void> make_nonce_file(db::SqliteConnection& file);

/// False if `actor` has used `nonce` before.
Result<bool> add_nonce(db::Transaction& transaction, std::string_view actor, std::string_view nonce,
                       UnixMs now_ms);
/// Deletes the nonces that were used before `before_ms`.
Result<void> forget_nonces(db::Transaction& transaction, UnixMs before_ms);

}  // namespace a2h::market::store
