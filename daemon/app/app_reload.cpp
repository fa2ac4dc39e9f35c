// Reading config.toml again while a2hd serves.

#include <utility>

#include "core/base/log.h"
#include "core/service/notify.h"
#include "core/store/event_store.h"
#include "core/wire/canonical.h"
#include "daemon/app/app_parts.h"
#include "daemon/effects/rows.h"

#include <nlohmann/json.hpp>

namespace a2h {
namespace {

std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

void log_reload(const Result<config::Changes>& result) {
    if (!result) {
        log::error("The configuration is not used: " + result.error().message +
                   "; the one of before stays");
        return;
    }
    log::info(
        "The configuration was read again",
        {{"taken", names_text(result->taken)}, {"need_restart", names_text(result->need_restart)}});
}

}  // namespace

/// One read answers everybody who asked before it began.
void App::Impl::reload(ReloadDone done) {
    reload_waiting.push_back(std::move(done));
    if (!is_reloading) read_again();
}

void App::Impl::read_again() {
    using Outcome = Result<std::shared_ptr<NewConfig>>;
    is_reloading = true;
    auto answered = std::make_shared<std::vector<ReloadDone>>(std::exchange(reload_waiting, {}));
    context.run_blocking<Outcome>(
        [this, file = runtime.config_file]() -> Outcome {
            A2H_ASSIGN_OR_RETURN(auto loaded, config::load(file));
            auto made = notify::make_channels(loaded.config.notify, &transfers);
            if (!made) return fail(made.error().with_context(file.string()));
            return std::make_shared<NewConfig>(NewConfig{std::move(loaded), std::move(*made)});
        },
        [this, answered](const Outcome& read) {
            const auto result = read ? take(**read) : Result<config::Changes>(fail(read.error()));
            log_reload(result);
            tell_reload(result);
            for (const ReloadDone& done : *answered)
                done(result);
            is_reloading = false;
            if (!reload_waiting.empty()) read_again();
        },
        []() -> Outcome {
            return fail(ErrorCode::Unavailable, "too much waits for a worker; try again");
        });
}

Result<config::Changes> App::Impl::take(NewConfig& next) {
    const std::string file = runtime.config_file.string();
    if (const auto checked = check_stages(next.loaded.config.stages, own_ids()); !checked)
        return fail(checked.error().with_context(file));
    auto change = config::take_over({*config.get(), origins}, next.loaded);
    if (!change) return fail(change.error().with_context(file));
    origins = std::move(next.loaded.origins);
    config.replace(std::move(next.loaded.config));
    channels.replace(std::move(next.channels));
    if (serves) listen_to_channels();
    notifications->use(config->language, config->approval.people, *channels.get());
    stages.use(policy_of(config), language_model.get());
    return change;
}

/// The listeners of before are waited for, up to 2 s, by a worker.
void App::Impl::listen_to_channels() {
    auto before = std::make_shared<std::unique_ptr<notify::Listeners>>(std::move(listeners));
    if (*before) (*before)->stop();
    if (!notify_workers->submit([before] { before->reset(); })) before->reset();
    listeners = std::make_unique<notify::Listeners>(*channels.get(), runtime.press);
}

/// An event for each of the owner's agents, and a notification of what is not used.
void App::Impl::tell_reload(const Result<config::Changes>& result) {
    const nlohmann::json detail =
        result ? nlohmann::json{{"taken", result->taken}, {"need_restart", result->need_restart}}
               : nlohmann::json{{"why", result.error().message}};
    Notification news;
    news.kind = result ? "config.reloaded" : "config.refused";
    news.body_json = wire::canonical_json(detail);
    const UnixMs now_ms = clock.now_ms();
    context.write(
        store::Writer::Priority::Background,
        [news, ids = own_ids(), refused = !result, now_ms,
         policy = policy_of(config)](store::Database& db) -> Result<void> {
            for (const std::string& id : ids) {
                A2H_TRY(store::insert_event(
                    db, pipeline::new_event(id, news.kind, "config.toml", news.body_json, now_ms)));
            }
            return refused ? approvals::notify_human(db, news, *policy, now_ms) : Result<void>();
        },
        [this](const Result<void>&) { after_effects(); });
}

std::vector<std::string> App::Impl::own_ids() const {
    std::vector<std::string> ids;
    for (const auto& [id, agent] : agents)
        if (agent->parent_id.empty()) ids.push_back(id);
    return ids;
}

/// SIGHUP. systemd waits for the second of the two.
void App::Impl::hang_up() {
    service::notify_reloading();
    reload([](const Result<config::Changes>&) { service::notify_ready(); });
}

}  // namespace a2h
