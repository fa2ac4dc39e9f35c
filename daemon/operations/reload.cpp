#include "daemon/operations/reload.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/join.h"
#include "core/base/log.h"
#include "core/store/event_store.h"
#include "core/systemd/notify.h"
#include "core/wire/canonical.h"
#include "daemon/config/current.h"
#include "daemon/effects/rows.h"
#include "daemon/notify/kinds.h"

namespace a2h::operations {
namespace {

void log_result(const Result<config::Changes>& result) {
    if (!result) {
        log::error("The new configuration is not used: " + result.error().message +
                   "; the previous one stays in use");
        return;
    }
    log::info("The configuration was read again",
              {{"taken", joined_with(", ", result->taken)},
               {"need_restart", joined_with(", ", result->need_restart)}});
}

constexpr notify::KindRow kNews[] = {
    {.kind = "config.refused", .key = "notify.config_refused", .arguments = {{{"why", "why"}}}}};

}  // namespace

void register_news() {
    notify::register_kinds(kNews);
}

void Reload::start(Done done) {
    waiting_.push_back(std::move(done));
    if (!is_reading_) read_again();
}

void Reload::start_for_manager() {
    systemd::notify_reloading();
    start([](const Result<config::Changes>&) { systemd::notify_ready(); });
}

/// Thread: a worker.
Result<Reload::Fresh> Reload::load() const {
    A2H_ASSIGN_OR_RETURN(auto loaded, config::load(parts_.file));
    auto made = notify::make_channels(loaded.config.notify, &parts_.transfers);
    if (!made) return fail(made.error().with_context(parts_.file.string()));
    return Fresh{std::move(loaded), std::move(*made)};
}

void Reload::read_again() {
    using Outcome = std::shared_ptr<Result<Fresh>>;
    is_reading_ = true;
    auto answered = std::make_shared<std::vector<Done>>(std::exchange(waiting_, {}));
    parts_.kernel.run_blocking<Outcome>(
        [this] { return std::make_shared<Result<Fresh>>(load()); },
        [this, answered](const Outcome& read) {
            const auto result = *read ? take(**read) : Result<config::Changes>(fail(read->error()));
            log_result(result);
            report(result);
            for (const Done& done : *answered)
                done(result);
            is_reading_ = false;
            if (!waiting_.empty()) read_again();
        },
        [] {
            return std::make_shared<Result<Fresh>>(
                fail(ErrorCode::Unavailable, "a2hd is too busy; try again later"));
        });
}

Result<config::Changes> Reload::take(Fresh& fresh) {
    const std::string file = parts_.file.string();
    if (const auto checked = stages::check_are_others(fresh.loaded.config.stages, own_ids());
        !checked) {
        return fail(checked.error().with_context(file));
    }
    auto changes = config::take_over({*parts_.config.get(), parts_.origins}, fresh.loaded);
    if (!changes) return fail(changes.error().with_context(file));
    parts_.origins = std::move(fresh.loaded.origins);
    const Config& config = fresh.loaded.config;
    parts_.audience.replace({std::move(fresh.channels), config.language, config.approval.people});
    parts_.rules.choose(config.trades);
    parts_.config.replace(std::move(fresh.loaded.config));
    if (parts_.listeners != nullptr) parts_.listeners->restart();
    return changes;
}

void Reload::report(const Result<config::Changes>& result) const {
    const nlohmann::json detail =
        result ? nlohmann::json{{"taken", result->taken}, {"need_restart", result->need_restart}}
               : nlohmann::json{{"why", result.error().message}};
    Notification news;
    news.kind = result ? "config.reloaded" : "config.refused";
    news.body_json = wire::canonical_json(detail);
    const UnixMs now_ms = parts_.kernel.clock.now_ms();
    parts_.kernel.write(
        store::Writer::Priority::Background,
        [news, ids = own_ids(), refused = !result, now_ms,
         policy = policy_of(parts_.config)](store::Database& db) -> Result<void> {
            for (const std::string& id : ids) {
                A2H_TRY(store::insert_event(
                    db, effects::new_event(id, news.kind, "config.toml", news.body_json, now_ms)));
            }
            return refused ? consent::notify_human(db, news, *policy, now_ms) : Result<void>();
        },
        [this](const Result<void>&) { parts_.commits.rows_written(); });
}

std::vector<std::string> Reload::own_ids() const {
    std::vector<std::string> ids;
    for (const auto& [id, agent] : parts_.agents)
        if (agent->parent_id.empty()) ids.push_back(id);
    return ids;
}

}  // namespace a2h::operations
