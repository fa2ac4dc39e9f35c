#include "market/store/login_store.h"

#include "core/base/enum_names.h"

namespace a2h::market {
namespace {

constexpr EnumName<LoginState> kLoginStates[] = {{LoginState::Pending, "pending"},
                                                 {LoginState::Confirmed, "confirmed"},
                                                 {LoginState::Taken, "taken"},
                                                 {LoginState::Void, "void"}};
static_assert(names_all(kLoginStates));

}  // namespace

std::string_view to_string(LoginState state) {
    return name_of(kLoginStates, state);
}

}  // namespace a2h::market

namespace a2h::market::store {
namespace {

/// An unknown word allows nothing.
std::optional<LoginState> state_of(std::string_view name) {
    return value_of(kLoginStates, name).value_or(LoginState::Void);
}

constexpr auto kLogin =
    sql::table<Login>("login",
                      A2H_COLUMNS(Login, code_hash, page_hash, device, remote_address, wrong_keys,
                                  created_at_ms, expires_at_ms),
                      sql::column("state", &Login::state, state_of),
                      sql::column("agent_id", &Login::agent_id, sql::NullIfEmpty{}));

}  // namespace

Result<void> add_login(db::Transaction& transaction, const Login& login) {
    static const std::string kSql = kLogin.insert();
    return transaction.statement(kSql).put(kLogin, login);
}

Result<std::optional<Login>> find_login_by_code(db::Transaction& transaction,
                                                std::string_view code_hash, UnixMs now_ms) {
    static const std::string kSql = kLogin.select("where expires_at_ms > $1 and code_hash = $2");
    return transaction.statement(kSql).first(kLogin, now_ms, code_hash);
}

Result<std::optional<Login>> find_login_by_page(db::Transaction& transaction,
                                                std::string_view page_hash, UnixMs now_ms) {
    static const std::string kSql = kLogin.select("where expires_at_ms > $1 and page_hash = $2");
    return transaction.statement(kSql).first(kLogin, now_ms, page_hash);
}

Result<std::int64_t> count_logins_from(db::Transaction& transaction,
                                       std::string_view remote_address, UnixMs since_ms) {
    static constexpr std::string_view kSql =
        "select count(*) from login where remote_address = $1 and created_at_ms > $2";
    return transaction.statement(kSql).number(remote_address, since_ms);
}

Result<std::int64_t> count_logins(db::Transaction& transaction) {
    return transaction.statement("select count(*) from login").number();
}

Result<bool> move_login(db::Transaction& transaction, std::string_view code_hash, LoginState from,
                        LoginState to, std::string_view agent_id) {
    static constexpr std::string_view kMove =
        "update login set state = $1, agent_id = coalesce(cast($2 as text), agent_id)"
        " where code_hash = $3 and state = $4";
    return transaction.statement(kMove).changes_a_row(to, sql::OrNull{agent_id}, code_hash, from);
}

Result<void> count_wrong_key(db::Transaction& transaction, std::string_view code_hash, int limit) {
    static constexpr std::string_view kCount =
        "update login set state = case when wrong_keys + 1 >= $1 then 'void' else state end,"
        " wrong_keys = wrong_keys + 1 where code_hash = $2 and state = 'pending'";
    return transaction.statement(kCount).run(limit, code_hash);
}

Result<void> delete_expired_logins(db::Transaction& transaction, UnixMs now_ms) {
    return transaction.statement("delete from login where expires_at_ms <= $1").run(now_ms);
}

}  // namespace a2h::market::store
