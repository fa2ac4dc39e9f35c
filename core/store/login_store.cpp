#include "core/store/login_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr UnixMs kLoginsKeptMs = 30LL * 24 * 60 * 60 * 1000;

constexpr auto kLogin = sql::table<BegunLogin>(
    "login", A2H_COLUMNS(BegunLogin, code, agent_id, login_base, begun_at_ms, account_id,
                         account_name, agent_key, api_base, mqtt_url));

}  // namespace

Result<void> insert_login(Database& db, const BegunLogin& login) {
    static constexpr const char* kRemoveOld = "delete from login where begun_at_ms < ?";
    A2H_TRY(db.statement(kRemoveOld).run(login.begun_at_ms - kLoginsKeptMs));
    static const std::string kSql = kLogin.insert();
    return db.statement(kSql).put(kLogin, login);
}

Result<std::optional<BegunLogin>> find_login(Database& db, std::string_view code) {
    static const std::string kSql = kLogin.select("where code = ?");
    return db.statement(kSql).first(kLogin, code);
}

Result<std::optional<BegunLogin>> login_of_account(Database& db, std::string_view account_id) {
    static const std::string kSql = kLogin.select(
        "where account_id = ? and agent_key <> '' order by begun_at_ms desc, code limit 1");
    return db.statement(kSql).first(kLogin, account_id);
}

Result<void> set_login_account(Database& db, const BegunLogin& login) {
    static constexpr const char* kSql =
        "update login set account_id = ?2, account_name = ?3, agent_key = ?4, api_base = ?5, "
        "mqtt_url = ?6 where code = ?1 and account_id = ''";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(login.code, login.account_id, login.account_name, login.agent_key,
                       login.api_base, login.mqtt_url));
    if (update.changes() == 1) return {};
    return fail(ErrorCode::NotFound, "this login has ended; begin a new one");
}

Result<void> forget_login_keys(Database& db, std::string_view account_id) {
    static constexpr const char* kSql = "update login set agent_key = '' where account_id = ?";
    return db.statement(kSql).run(account_id);
}

Result<std::vector<std::string>> own_agents(Database& db) {
    static constexpr const char* kSql = "select agent_id from own_agent order by number";
    return db.statement(kSql).all(sql::kFirstText);
}

Result<void> note_own_agents(Database& db, std::span<const std::string> agent_ids, UnixMs now_ms) {
    static constexpr const char* kSql =
        "insert into own_agent (agent_id, taken_in_at_ms) values (?, ?) on conflict do nothing";
    for (const std::string& agent_id : agent_ids)
        A2H_TRY(db.statement(kSql).run(agent_id, now_ms));
    return {};
}

Result<void> remove_own_agent(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql = "delete from own_agent where agent_id = ?";
    return db.statement(kSql).run(agent_id);
}

}  // namespace a2h::store
