#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Small facts that must survive a restart (PIN hash and its failures, last self-test, …).
/// `agent_id` empty: of the whole daemon.
Result<std::optional<std::string>> get_setting(Database& db, std::string_view agent_id,
                                               std::string_view key);
Result<void> put_setting(Database& db, std::string_view agent_id, std::string_view key,
                         std::string_view value);

/// The same for whole numbers; 0 where there is none.
Result<std::int64_t> get_number(Database& db, std::string_view agent_id, std::string_view key);
Result<void> put_number(Database& db, std::string_view agent_id, std::string_view key,
                        std::int64_t value);

}  // namespace a2h::store
