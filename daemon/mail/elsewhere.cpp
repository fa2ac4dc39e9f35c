#include "daemon/mail/elsewhere.h"

#include <algorithm>
#include <string>

#include "core/store/setting_store.h"

namespace a2h::mail {
namespace {

constexpr std::string_view kElsewhereSetting = "elsewhere.before_ms";

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

}  // namespace a2h::mail
