#include "core/store/setting_store.h"

#include <charconv>
#include <string>

#include "core/store/statement.h"

namespace a2h::store {

Result<std::optional<std::string>> get_setting(Database& db, std::string_view agent_id,
                                               std::string_view key) {
    static constexpr const char* kSql = "select value from setting where agent_id = ? and key = ?";
    return db.statement(kSql).first(sql::kFirstText, agent_id, key);
}

Result<void> put_setting(Database& db, std::string_view agent_id, std::string_view key,
                         std::string_view value) {
    static constexpr const char* kSql =
        "insert into setting values (?1, ?2, ?3) on conflict do update set value = ?3";
    return db.statement(kSql).run(agent_id, key, value);
}

Result<std::int64_t> get_number(Database& db, std::string_view agent_id, std::string_view key) {
    A2H_ASSIGN_OR_RETURN(const auto text, get_setting(db, agent_id, key));
    std::int64_t number = 0;
    if (text) std::from_chars(text->data(), text->data() + text->size(), number);
    return number;
}

Result<void> put_number(Database& db, std::string_view agent_id, std::string_view key,
                        std::int64_t value) {
    return put_setting(db, agent_id, key, std::to_string(value));
}

}  // namespace a2h::store
