#pragma once

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

}  // namespace a2h::store
