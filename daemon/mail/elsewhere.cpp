#include "daemon/mail/elsewhere.h"

#include <algorithm>
#include <string>

#include "core/store/setting_store.h"

namespace a2h::mail {
namespace {

constexpr std::string_view kElsewhereSetting = "elsewhere.before_ms";
constexpr std::string_view kReadSetting = "elsewhere.read_before_ms";

}  // namespace

Result<UnixMs> elsewhere_before(store::Database& db, std::string_view agent_id) {
    const auto of_home = store::get_number(db, {}, kElsewhereSetting);
    if (!of_home) return of_home;
    const auto of_agent = store::get_number(db, agent_id, kElsewhereSetting);
    if (!of_agent) return of_agent;
    return std::max(*of_home, *of_agent);
}

Result<void> set_elsewhere_before(store::Database& db, std::string_view agent_id,
                                  UnixMs before_ms) {
    A2H_ASSIGN_OR_RETURN(const auto present, store::get_number(db, agent_id, kElsewhereSetting));
    if (present >= before_ms) return {};
    return store::put_number(db, agent_id, kElsewhereSetting, before_ms);
}

Result<bool> is_elsewhere_unread(store::Database& db, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto before_ms, elsewhere_before(db, agent_id));
    A2H_ASSIGN_OR_RETURN(const auto read_before_ms, store::get_number(db, agent_id, kReadSetting));
    return before_ms > read_before_ms;
}

Result<bool> is_history_read(store::Database& db, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto read, store::get_setting(db, agent_id, kReadSetting));
    return read.has_value();
}

Result<void> set_elsewhere_read(store::Database& db, std::string_view agent_id, UnixMs before_ms) {
    return store::put_number(db, agent_id, kReadSetting, before_ms);
}

}  // namespace a2h::mail
