#include "daemon/backup/new_database.h"

#include <system_error>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/i18n/messages.h"
#include "core/store/event_store.h"
#include "core/store/health.h"
#include "core/store/setting_store.h"
#include "core/wire/canonical.h"
#include "daemon/consent/approvals.h"
#include "daemon/effects/rows.h"
#include "daemon/mail/other_instance.h"

namespace a2h::backup {
namespace {

constexpr std::string_view kBegunSetting = "home.new_database_ms";
constexpr UnixMs kShownMs = 7LL * 24 * 3600 * 1000;

/// a2hd writes this file at its first start.
bool was_used(const control::Home& home) {
    std::error_code ignored;
    return std::filesystem::exists(home.device_file(), ignored);
}

/// In the writer's transaction.
Result<void> begin_anew(store::Database& db, const consent::Policy& policy,
                        const std::string& agent_id, UnixMs now_ms) {
    A2H_TRY(mail::set_other_instance_before(db, {}, now_ms));
    A2H_TRY(store::put_number(db, {}, kBegunSetting, now_ms));
    Notification news;
    news.agent_id = agent_id;
    news.kind = "home.new_database";
    news.body_json = wire::canonical_json(
        nlohmann::json{{"text", i18n::text(policy.language, "daemon.new_database")}});
    A2H_TRY(store::insert_event(
        db, effects::new_event(agent_id, news.kind, {}, news.body_json, now_ms)));
    return consent::notify_human(db, news, policy, now_ms);
}

}  // namespace

Result<void> check_database_is_not_emptied(const control::Home& home) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(home.database_file(), error);
    if (error || bytes > 0 || !was_used(home)) return {};
    return fail(ErrorCode::Corrupt,
                "the database " + home.database_file().string() +
                    " is empty, although this home was used before; restore a backup with "
                    "`a2h restore`, or remove the file to begin anew");
}

Result<void> note_new_database(store::Database& db, const control::Home& home,
                               const consent::Policy& policy, const std::string& agent_id,
                               UnixMs now_ms) {
    if (!was_used(home)) return {};
    A2H_ASSIGN_OR_RETURN(const bool is_unused, store::is_unused(db));
    if (!is_unused) return {};
    log::warning(
        "The database of this home was missing; a new one is used, and older mail is not "
        "answered automatically",
        {{"file", home.database_file().string()}});
    A2H_TRY(db.begin());
    const auto written = db.savepoint([&] { return begin_anew(db, policy, agent_id, now_ms); });
    if (!written) {
        db.rollback();
        return written;
    }
    return db.commit();
}

Result<UnixMs> new_database_since(store::Database& db, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto begun_ms, store::get_number(db, {}, kBegunSetting));
    return now_ms - begun_ms < kShownMs ? begun_ms : 0;
}

}  // namespace a2h::backup
