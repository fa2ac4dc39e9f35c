#include "market/store/login_store.h"

namespace a2h::market::store {
namespace {

std::string name_of(LoginState state) {
    switch (state) {
        case LoginState::Pending:
            return "pending";
        case LoginState::Confirmed:
            return "confirmed";
        case LoginState::Taken:
            return "taken";
        case LoginState::Void:
            return "void";
    }
    A2H_CHECK(false);
}

/// A word that is not known lets nobody in.
LoginState state_of(std::string_view name) {
    if (name == "pending") return LoginState::Pending;
    if (name == "confirmed") return LoginState::Confirmed;
    if (name == "taken") return LoginState::Taken;
    return LoginState::Void;
}

Result<std::optional<Login>> find(db::Transaction& transaction, std::string_view condition,
                                  std::string_view hash, UnixMs now_ms) {
    static constexpr std::string_view kSelect =
        "select code_hash, page_hash, state, agent_id, device, remote_address, wrong_keys,"
        " created_at_ms, expires_at_ms from login where expires_at_ms > $1 and ";
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one(std::string(kSelect).append(condition), {now_ms, std::string(hash)}));
    if (!row) return std::optional<Login>();
    const db::Row& found = *row;
    return std::optional(Login{.code_hash = found.text(0),
                               .page_hash = found.text(1),
                               .state = state_of(found.text(2)),
                               .agent_id = found.optional_text(3).value_or(""),
                               .device = found.text(4),
                               .remote_address = found.text(5),
                               .wrong_keys = static_cast<int>(found.integer(6)),
                               .created_at_ms = found.integer(7),
                               .expires_at_ms = found.integer(8)});
}

Result<std::int64_t> count(db::Transaction& transaction, std::string_view sql,
                           const std::vector<db::Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(sql, parameters));
    return row ? (*row).integer(0) : 0;
}

}  // namespace

Result<void> add_login(db::Transaction& transaction, const Login& login) {
    static constexpr std::string_view kInsert =
        "insert into login (code_hash, page_hash, state, device, remote_address, wrong_keys,"
        " created_at_ms, expires_at_ms) values ($1, $2, $3, $4, $5, 0, $6, $7)";
    A2H_TRY(transaction.execute(
        kInsert, {login.code_hash, login.page_hash, name_of(LoginState::Pending), login.device,
                  login.remote_address, login.created_at_ms, login.expires_at_ms}));
    return {};
}

Result<std::optional<Login>> find_login_by_code(db::Transaction& transaction,
                                                std::string_view code_hash, UnixMs now_ms) {
    return find(transaction, "code_hash = $2", code_hash, now_ms);
}

Result<std::optional<Login>> find_login_by_page(db::Transaction& transaction,
                                                std::string_view page_hash, UnixMs now_ms) {
    return find(transaction, "page_hash = $2", page_hash, now_ms);
}

Result<std::int64_t> count_logins_from(db::Transaction& transaction,
                                       std::string_view remote_address, UnixMs since_ms) {
    return count(transaction,
                 "select count(*) from login where remote_address = $1 and created_at_ms > $2",
                 {std::string(remote_address), since_ms});
}

Result<std::int64_t> count_logins(db::Transaction& transaction) {
    return count(transaction, "select count(*) from login", {});
}

Result<bool> move_login(db::Transaction& transaction, std::string_view code_hash, LoginState from,
                        LoginState to, std::string_view agent_id) {
    static constexpr std::string_view kMove =
        "update login set state = $1, agent_id = coalesce(cast($2 as text), agent_id)"
        " where code_hash = $3 and state = $4";
    A2H_ASSIGN_OR_RETURN(
        const auto moved,
        transaction.execute(
            kMove,
            {name_of(to), agent_id.empty() ? db::Value(nullptr) : db::Value(std::string(agent_id)),
             std::string(code_hash), name_of(from)}));
    return moved == 1;
}

Result<void> count_wrong_key(db::Transaction& transaction, std::string_view code_hash, int limit) {
    static constexpr std::string_view kCount =
        "update login set state = case when wrong_keys + 1 >= $1 then 'void' else state end,"
        " wrong_keys = wrong_keys + 1 where code_hash = $2 and state = 'pending'";
    A2H_TRY(transaction.execute(kCount, {std::int64_t{limit}, std::string(code_hash)}));
    return {};
}

Result<void> delete_expired_logins(db::Transaction& transaction, UnixMs now_ms) {
    A2H_TRY(transaction.execute("delete from login where expires_at_ms <= $1", {now_ms}));
    return {};
}

}  // namespace a2h::market::store
