#include "daemon/pipeline/elsewhere.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/store/setting_store.h"

namespace a2h::pipeline {
namespace {

constexpr std::string_view kElsewhereSetting = "elsewhere.before_ms";

Result<UnixMs> stored_time(store::Database& db, std::string_view agent_id) {
    const auto text = store::get_setting(db, agent_id, kElsewhereSetting);
    if (!text) return fail(text.error());
    UnixMs time_ms = 0;
    if (*text) std::from_chars((*text)->data(), (*text)->data() + (*text)->size(), time_ms);
    return time_ms;
}

}  // namespace

Result<UnixMs> elsewhere_before(store::Database& db, std::string_view agent_id) {
    const auto of_home = stored_time(db, {});
    if (!of_home) return of_home;
    const auto of_agent = stored_time(db, agent_id);
    if (!of_agent) return of_agent;
    return std::max(*of_home, *of_agent);
}

Result<void> set_elsewhere_before(store::Database& db, std::string_view agent_id,
                                  UnixMs before_ms) {
    const auto present = stored_time(db, agent_id);
    if (!present) return fail(present.error());
    if (*present >= before_ms) return {};
    return store::put_setting(db, agent_id, kElsewhereSetting, std::to_string(before_ms));
}

}  // namespace a2h::pipeline
