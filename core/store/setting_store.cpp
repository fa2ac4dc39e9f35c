#include "core/store/setting_store.h"

#include "core/store/statement.h"

namespace a2h::store {

Result<std::optional<std::string>> get_setting(Database& db, std::string_view agent_id,
                                               std::string_view key) {
    static constexpr const char* kSql = "select value from setting where agent_id = ? and key = ?";
    return db.statement(kSql).first([](Row& row) { return row.text(0); }, agent_id, key);
}

Result<void> put_setting(Database& db, std::string_view agent_id, std::string_view key,
                         std::string_view value) {
    static constexpr const char* kSql =
        "insert into setting values (?1, ?2, ?3) on conflict do update set value = ?3";
    return db.statement(kSql).run(agent_id, key, value);
}

}  // namespace a2h::store
