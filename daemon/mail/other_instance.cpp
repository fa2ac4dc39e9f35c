#include "daemon/mail/other_instance.h"

#include <algorithm>
#include <string>

#include "core/store/setting_store.h"

namespace a2h::mail {
namespace {

constexpr std::string_view kOtherInstanceSetting = "elsewhere.before_ms";
constexpr std::string_view kReadSetting = "elsewhere.read_before_ms";

}  // namespace

Result<UnixMs> other_instance_before(store::Database& db, std::string_view agent_id) {
    const auto of_home = store::get_number(db, {}, kOtherInstanceSetting);
    if (!of_home) return of_home;
    const auto of_agent = store::get_number(db, agent_id, kOtherInstanceSetting);
    if (!of_agent) return of_agent;
    return std::max(*of_home, *of_agent);
}

Result<void> set_other_instance_before(store::Database& db, std::string_view agent_id,
                                       UnixMs before_ms) {
    A2H_ASSIGN_OR_RETURN(const auto present,
                         store::get_number(db, agent_id, kOtherInstanceSetting));
    if (present >= before_ms) return {};
    return store::put_number(db, agent_id, kOtherInstanceSetting, before_ms);
}

Result<bool> is_other_instance_unread(store::Database& db, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto before_ms, other_instance_before(db, agent_id));
    A2H_ASSIGN_OR_RETURN(const auto read_before_ms, store::get_number(db, agent_id, kReadSetting));
    return before_ms > read_before_ms;
}

Result<bool> is_history_read(store::Database& db, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto read, store::get_setting(db, agent_id, kReadSetting));
    return read.has_value();
}

Result<void> set_other_instance_read(store::Database& db, std::string_view agent_id,
                                     UnixMs before_ms) {
    return store::put_number(db, agent_id, kReadSetting, before_ms);
}

}  // namespace a2h::mail
