#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Small values that must survive a restart (failures of a PIN, last self-test, …). An empty
/// `agent_id` means the whole daemon.
Result<std::optional<std::string>> get_setting(Database& db, std::string_view agent_id,
                                               std::string_view key);
Result<void> put_setting(Database& db, std::string_view agent_id, std::string_view key,
                         std::string_view value);

/// The same for whole numbers; 0 if there is none.
Result<std::int64_t> get_number(Database& db, std::string_view agent_id, std::string_view key);
Result<void> put_number(Database& db, std::string_view agent_id, std::string_view key,
                        std::int64_t value);

}  // namespace a2h::store
