#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// A login in a browser that this home began, and the account that it brought.
struct BegunLogin {
    std::string code;
    std::string agent_id;  ///< the agent that began it
    std::string login_base;
    UnixMs begun_at_ms = 0;
    std::string account_id;    ///< empty until somebody has confirmed the login
    std::string account_name;  ///< its name at the market; empty if the market did not say it
    std::string agent_key;     ///< secret; empty once the account was taken in or refused
    std::string api_base;
    std::string mqtt_url;
};

/// Stores a login that has begun, and removes logins that began more than 30 days ago.
///
/// Errors:  Conflict if the code exists.
Result<void> insert_login(Database& db, const BegunLogin& login);
Result<std::optional<BegunLogin>> find_login(Database& db, std::string_view code);
/// The newest login that brought this account and whose key is still kept.
Result<std::optional<BegunLogin>> login_of_account(Database& db, std::string_view account_id);
/// Stores the account of a login.
///
/// Errors:  NotFound unless it exists and has no account yet.
Result<void> set_login_account(Database& db, const BegunLogin& login);
/// Deletes the kept keys of this account.
Result<void> forget_login_keys(Database& db, std::string_view account_id);

/// The owner's own agents in the order in which this home took them in.
Result<std::vector<std::string>> own_agents(Database& db);
/// Adds those of `agent_ids` that are not known yet, in this order.
Result<void> note_own_agents(Database& db, std::span<const std::string> agent_ids, UnixMs now_ms);
/// Removes an agent from the owner's own; if it is taken in again, it is the last.
Result<void> remove_own_agent(Database& db, std::string_view agent_id);

}  // namespace a2h::store
