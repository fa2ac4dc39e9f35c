#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

struct StoredFile {
    std::string file_id;
    std::string agent_id;
    std::string upload_type;
    std::string file_name;
    std::string extension;
    std::int64_t size_bytes = 0;
    UnixMs created_at_ms = 0;
    std::optional<UnixMs> expires_at_ms{};  ///< nullopt: never
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Errors:  Conflict if the id exists.
Result<void> add_file(db::Transaction& transaction, const StoredFile& file);
/// The file, even if it has expired; nullopt if there is none.
Result<std::optional<StoredFile>> find_file(db::Transaction& transaction, std::string_view file_id);
/// The total size of an agent's files.
Result<std::int64_t> stored_bytes(db::Transaction& transaction, std::string_view agent_id);
/// At most `limit` ids, earliest expiry first.
Result<std::vector<std::string>> expired_files(db::Transaction& transaction, UnixMs now_ms,
                                               int limit);
Result<void> delete_file(db::Transaction& transaction, std::string_view file_id);

}  // namespace a2h::market::store
