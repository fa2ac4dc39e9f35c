#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

enum class LoginState {
    Pending,    ///< nobody has answered yet
    Confirmed,  ///< a person confirmed it; the program has not polled since
    Taken,      ///< the program has received its credentials; they are not given again
    Void,       ///< too many wrong keys
};
std::string_view to_string(LoginState state);

/// A login that a program starts and a person confirms in a browser.
struct Login {
    std::string code_hash;  ///< hex SHA-256 of the code with which the program polls
    std::string page_hash;  ///< hex SHA-256 of the last part of the page's address
    LoginState state = LoginState::Pending;
    std::string agent_id;  ///< empty while pending
    std::string device;
    std::string remote_address;
    int wrong_keys = 0;
    UnixMs created_at_ms = 0;
    UnixMs expires_at_ms = 0;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

Result<void> add_login(db::Transaction& transaction, const Login& login);
/// The login that is not expired; nullopt if there is none.
Result<std::optional<Login>> find_login_by_code(db::Transaction& transaction,
                                                std::string_view code_hash, UnixMs now_ms);
Result<std::optional<Login>> find_login_by_page(db::Transaction& transaction,
                                                std::string_view page_hash, UnixMs now_ms);
/// The number of logins that an address has started since `since_ms`, and the total number.
Result<std::int64_t> count_logins_from(db::Transaction& transaction,
                                       std::string_view remote_address, UnixMs since_ms);
Result<std::int64_t> count_logins(db::Transaction& transaction);
/// Changes the state from `from` to `to`; false, and nothing is changed, if it was in another
/// state. `agent_id` is set if it is not empty.
Result<bool> move_login(db::Transaction& transaction, std::string_view code_hash, LoginState from,
                        LoginState to, std::string_view agent_id);
/// Counts a wrong key; after `limit` wrong keys the login is void.
Result<void> count_wrong_key(db::Transaction& transaction, std::string_view code_hash, int limit);
Result<void> delete_expired_logins(db::Transaction& transaction, UnixMs now_ms);

}  // namespace a2h::market::store
