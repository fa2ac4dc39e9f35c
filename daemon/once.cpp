#include "daemon/once.h"

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/control/progress_file.h"
#include "core/platform/identity.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/app.h"
#include "daemon/home_lock.h"
#include "daemon/operations/operation.h"
#include "daemon/service/restore.h"

namespace a2h {
namespace {

using nlohmann::json;

constexpr wire::JsonLimits kParamsLimits{.bytes_max = 1024 * 1024, .depth_max = 32};

std::string once_text(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

constexpr std::string_view kRestoreAction = "backup.restore";

OnceResult once_failed(const Once& once, const Error& error, int exit_status = kExitFailed) {
    return {once_text(operations::error_result(once.action, error)), exit_status};
}

/// The request as it would come over the socket.
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

/// The one operation that cannot open what it replaces.
OnceResult restore_once(const control::Home& home, const Once& once) {
    const auto params = wire::parse_json(once.params.empty() ? "{}" : once.params, kParamsLimits);
    const std::string from = params ? wire::text_member(*params, "from") : std::string();
    if (!std::filesystem::path(from).is_absolute())
        return once_failed(once, {ErrorCode::InvalidArgument, "`from` must be an absolute path"});
    const auto lock = take_home(home);
    if (!lock) {
        const bool taken = lock.error().code == ErrorCode::Conflict;
        return once_failed(once, lock.error(), taken ? kExitHomeTaken : kExitFailed);
    }
    control::ProgressFile progress(home.progress_file());
    const auto report = service::restore_backup(home, from, SystemClock(), progress);
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
                                                          {"negotiations", aside.negotiations},
                                                          {"tasks", aside.tasks}})),
            0};
}

}  // namespace

OnceResult run_once(const control::Home& home, const Once& once) {
    if (once.action == kRestoreAction) return restore_once(home, once);
    const auto request = once_request(once);
    if (!request) return once_failed(once, request.error());
    const auto app = App::start(home, App::Mode::Once);
    if (!app) {
        const bool taken = app.error().code == ErrorCode::Conflict;
        return once_failed(once, app.error(), taken ? kExitHomeTaken : kExitFailed);
    }
    const json answer = json::parse((*app)->run_once(*request), nullptr, false);
    if (!answer.is_object()) {
        return once_failed(once, {ErrorCode::Timeout, "ended by a signal before it was done"});
    }
    if (const auto refused = answer.find("error"); refused != answer.end()) {
        return once_failed(once,
                           {ErrorCode::InvalidArgument, refused->value("message", std::string())});
    }
    const json& result = answer.at("result");
    return {once_text(result), result.value("ok", false) ? 0 : kExitFailed};
}

}  // namespace a2h
