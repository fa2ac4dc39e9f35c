#include "daemon/app/once.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/control/progress_file.h"
#include "core/i18n/messages.h"
#include "core/platform/identity.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/app/app.h"
#include "daemon/backup/restore.h"
#include "daemon/config/config.h"
#include "daemon/doctor/rescue.h"
#include "daemon/kernel/home_lock.h"
#include "daemon/operations/doctor_report.h"
#include "daemon/operations/operation.h"

namespace a2h {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;

constexpr wire::JsonLimits kParamsLimits{.bytes_max = 1024 * 1024, .depth_max = 32};

std::string once_text(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

constexpr std::string_view kRestoreAction = "backup.restore";
constexpr std::string_view kDoctorAction = "doctor.run";

OnceResult once_failed(const Once& once, const Error& error, int exit_status = kExitFailed) {
    return {once_text(operations::error_result(once.action, error)), exit_status};
}

/// The request in the form in which it would arrive over the socket.
Result<std::string> once_request(const Once& once) {
    auto params = wire::parse_json(once.params.empty() ? "{}" : once.params, kParamsLimits);
    if (!params) return fail(params.error().with_context("PARAMS"));
    if (!params->is_object()) return invalid("PARAMS must be a JSON object");
    if (!params->contains("face")) (*params)["face"] = "human";
    return once_text(
        {{"jsonrpc", "2.0"}, {"id", 1}, {"method", once.action}, {"params", std::move(*params)}});
}

Result<std::unique_ptr<HomeLock>> take_home(const control::Home& home) {
    A2H_TRY(platform::make_private_folder(home.root));
    A2H_TRY(platform::make_private_folder(home.run_dir()));
    return HomeLock::take(home.lock_file());
}

/// A restore is the only operation that cannot open the database, because it replaces it.
OnceResult restore_once(const control::Home& home, const Once& once) {
    const auto params = wire::parse_json(once.params.empty() ? "{}" : once.params, kParamsLimits);
    const std::string from = params ? wire::text_member(*params, "from") : std::string();
    if (!fs::path(from).is_absolute())
        return once_failed(once, {ErrorCode::InvalidArgument, "`from` must be an absolute path"});
    const auto lock = take_home(home);
    if (!lock) {
        const bool taken = lock.error().code == ErrorCode::Conflict;
        return once_failed(once, lock.error(), taken ? kExitHomeTaken : kExitFailed);
    }
    control::ProgressFile progress(home.progress_file());
    const auto report = backup::restore_backup(home, from, SystemClock(), progress);
    progress.end();
    if (!report) return once_failed(once, report.error());
    const store::SetAside& aside = report->set_aside;
    return {once_text(operations::ok_result(once.action, {{"from", from},
                                                          {"moved_to", report->moved_to.string()},
                                                          {"identities", report->has_identities},
                                                          {"rows", report->rows},
                                                          {"held", aside.held},
                                                          {"approvals", aside.approvals},
                                                          {"unsettled", aside.unsettled},
                                                          {"mandates", aside.mandates},
                                                          {"negotiations", aside.bargains},
                                                          {"tasks", aside.jobs}})),
            0};
}

i18n::Language language_asked(const json& params) {
    const std::string language = wire::text_member(params, "language");
    return language.empty() ? i18n::language_of_environment() : i18n::language_of(language);
}

/// Returns what the doctor found, and repaired if `fix` is set, when a2hd cannot start. Nothing if
/// another process has taken the home in the meantime.
std::optional<doctor::Report> doctor_alone(const control::Home& home, const json& params) {
    const auto run_dir = platform::make_private_folder(home.run_dir());
    const auto lock = HomeLock::take(home.lock_file());
    if (!lock) return std::nullopt;
    // The doctor itself reports whether other users can open the folder.
    if (!run_dir && run_dir.error().code != ErrorCode::PermissionDenied) return std::nullopt;
    control::ProgressFile progress(home.progress_file());
    const bool fix = wire::member(params, "fix") == true;
    auto report =
        doctor::check_home_alone(home, language_asked(params), fix, SystemClock(), progress);
    progress.end();
    return report;
}

/// The answer of the doctor if a2hd still cannot start.
OnceResult doctor_says_why(const control::Home& home, const Once& once, doctor::Report report,
                           const json& params, const Error& why) {
    const i18n::Language language = language_asked(params);
    report.lines.push_back(doctor::cannot_start(home, language, why));
    return {once_text(operations::ok_result(once.action,
                                            operations::doctor_report_json(report, language))),
            0};
}

/// True if a start would create the database: there is no file, or an empty one.
bool has_no_database(const control::Home& home) {
    std::error_code absent;
    const fs::path file = home.database_file();
    const auto bytes = fs::file_size(file, absent);
    return absent || (bytes == 0 && !fs::exists(file.string() + "-wal", absent));
}

/// The answer of the doctor before the first start. Nothing has run in this home yet, so it creates
/// nothing, not even a lock. `fix` only closes files that other users can read. An unreadable
/// configuration is reported.
OnceResult doctor_before_first_start(const control::Home& home, const Once& once,
                                     const json& params) {
    const i18n::Language language = language_asked(params);
    std::error_code ignored;
    const bool fix = wire::member(params, "fix") == true && fs::exists(home.root, ignored);
    auto report = doctor::check_home_alone(home, language, fix, SystemClock(), no_progress());
    const auto loaded = config::load(home.config_file());
    if (fs::exists(home.database_file(), ignored)) {
        const Error empty{ErrorCode::Corrupt, home.database_file().string() + " is empty"};
        report.lines.push_back(doctor::cannot_start(home, language, empty));
    } else {
        report.lines.push_back(loaded ? doctor::not_running(language, false)
                                      : doctor::cannot_start(home, language, loaded.error()));
    }
    return {once_text(operations::ok_result(once.action,
                                            operations::doctor_report_json(report, language))),
            0};
}

/// Repairs made before a2hd started are listed before those that it made itself.
void put_before(const doctor::Report& report, json& data) {
    json fixed = report.fixed;
    for (const json& words : data.at("fixed"))
        fixed.push_back(words);
    data["fixed"] = std::move(fixed);
    if (!report.backup.empty()) data["backup"] = report.backup;
}

}  // namespace

OnceResult run_once(const control::Home& home, const Once& once) {
    if (once.action == kRestoreAction) return restore_once(home, once);
    const auto request = once_request(once);
    if (!request) return once_failed(once, request.error());
    const bool is_doctor = once.action == kDoctorAction;
    const json params = json::parse(*request).at("params");
    if (is_doctor && has_no_database(home)) return doctor_before_first_start(home, once, params);
    auto app = App::start(home, App::Mode::Once);
    std::optional<doctor::Report> alone;
    if (!app && is_doctor && app.error().code != ErrorCode::Conflict) {
        alone = doctor_alone(home, params);
        if (alone && !alone->fixed.empty()) app = App::start(home, App::Mode::Once);
        if (alone && !app)
            return doctor_says_why(home, once, std::move(*alone), params, app.error());
    }
    if (!app) {
        const bool taken = app.error().code == ErrorCode::Conflict;
        return once_failed(once, app.error(), taken ? kExitHomeTaken : kExitFailed);
    }
    json answer = json::parse((*app)->run_once(*request), nullptr, false);
    if (!answer.is_object()) {
        return once_failed(once, {ErrorCode::Timeout, "a signal ended it before it was done"});
    }
    if (const auto refused = answer.find("error"); refused != answer.end()) {
        return once_failed(once,
                           {ErrorCode::InvalidArgument, refused->value("message", std::string())});
    }
    json& result = answer.at("result");
    if (alone && result.value("ok", false)) put_before(*alone, result.at("data"));
    if (is_doctor && result.value("ok", false)) {
        const i18n::Language language = language_asked(params);
        operations::add_doctor_line(result.at("data"), doctor::not_running(language, true),
                                    language);
    }
    return {once_text(result), result.value("ok", false) ? 0 : kExitFailed};
}

}  // namespace a2h
