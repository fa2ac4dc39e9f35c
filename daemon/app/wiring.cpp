// What each part of the daemon is given of the others.

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/log.h"
#include "core/service/notify.h"
#include "daemon/app/parts.h"
#include "daemon/consent/message_secrets.h"
#include "daemon/mail/snapshot.h"
#include "daemon/mailbox/pictures.h"
#include "daemon/model/spent_setting.h"
#include "daemon/operations/serving.h"

namespace a2h {

std::unique_ptr<model::LanguageModel> App::Impl::make_model(const Opened& opened) {
    auto made = model::make_drafter(config->model, {.poster = loop,
                                                    .clock = clock,
                                                    .transfers = transfers.get(),
                                                    .key = opened.model_key,
                                                    .spent = opened.model_spent,
                                                    .save = model::save_spent(writer)});
    A2H_CHECK(made.has_value());  // the configuration was checked when it was read
    return std::move(*made);
}

/// While nothing serves they do nothing: the yes waits for an a2hd that does.
consent::Carriers App::Impl::carriers() {
    if (serves) {
        return {{collab::kSubmitAction, collab::carrier_by(coordinator)},
                {house::kSpawnAction, house::carrier_by(house)}};
    }
    const consent::Carrier waits = [](const Approval&, const nlohmann::json&, consent::UseYes,
                                      const std::function<void(const Result<void>&)>&) {};
    return {{collab::kSubmitAction, waits}, {house::kSpawnAction, waits}};
}

house::House::Environment App::Impl::house_environment() {
    return {.context = context,
            .agents = agents,
            .start = [this](const LocalAgent& local) { mailboxes.start_local(local); },
            .stop = [this](const std::string& agent_id) { mailboxes.stop_local(agent_id); },
            .registration_of =
                [this](const LocalAgent& local) { return mailboxes.registration_of(local); },
            .take = [this](store::Database& db,
                           const InboxMessage& arrival) { return take_at_home(db, arrival); },
            .on_effects = after_commit.looker()};
}

mail::Dispatcher::House App::Impl::dispatcher_house() {
    return {
        .is_ours = [this](const std::string& agent_id) { return house.is_ours(agent_id); },
        .is_stopped = [this](const std::string& agent_id) { return house.is_stopped(agent_id); },
        .role_of = [this](const std::string& agent_id) { return house.role_of(agent_id); },
        .take = [this](store::Database& db,
                       const InboxMessage& arrival) { return take_at_home(db, arrival); },
        .delivered = [this](const InboxMessage& message) { decider.accept(message); }};
}

/// What agents of this house say to each other. Thread: the store writer.
Result<std::function<void()>> App::Impl::take_at_home(store::Database& db,
                                                      const InboxMessage& arrival) {
    if (collab::DemandMail::takes(arrival)) return demand_mail.take_at_home(db, arrival);
    return mail.take_at_home(db, arrival);
}

stages::Exchange::Environment App::Impl::stages_environment() {
    return {.clock = clock,
            .loop = loop,
            .writer = writer,
            .reader = *reader,
            .call_after =
                [this](std::chrono::milliseconds delay, std::function<void()> task) {
                    loop.call_after(delay, std::move(task));
                },
            .options = stage_options,
            .policy = policy_of(config),
            .drafter = language_model.get(),
            .snapshot = [this](const InboxMessage& message) -> Result<decide::Input> {
                const auto agent = agents.find(message.agent_id);
                if (agent != agents.end())
                    return mail::take_snapshot(context, *agent->second, message);
                return fail(ErrorCode::NotFound, "no agent " + message.agent_id + " is served");
            },
            .effects_of =
                [this](const Task& task, const InboxMessage& message, const decide::Input& input,
                       decide::Decision decision) {
                    return decider.effects_of(task, message, input, std::move(decision));
                },
            .on_effects = after_commit.taker()};
}

collab::Coordinator::Environment App::Impl::coordinator_environment() {
    return {.context = context,
            .agents = agents,
            .refresh_profiles =
                [this](Agent& agent, std::function<void()> done) {
                    profiles.refresh(agent, std::move(done));
                },
            .on_effects = after_commit.looker(),
            .thinking = thinking.get()};
}

collab::DemandMail::Environment App::Impl::demand_mail_environment() {
    return {.context = context,
            .on_effects = after_commit.taker(),
            .answered = [this](const std::string& channel_id) { coordinator.look_at(channel_id); },
            .invited =
                [this] {
                    if (thinking) advisor.look();
                },
            .asks_model = serves && thinking};
}

collab::Advisor::Environment App::Impl::advisor_environment() {
    return {.context = context,
            .agents = agents,
            .thinking = thinking.get(),
            .refresh_profiles =
                [this](Agent& agent, std::function<void()> done) {
                    profiles.refresh(agent, std::move(done));
                },
            .on_effects = after_commit.taker()};
}

notify::NotificationQueue::Environment App::Impl::notification_environment() {
    return {
        .loop = loop,
        .writer = writer,
        .reader = *reader,
        .clock = clock,
        .execute =
            [this](std::function<void()> job) { return notify_workers->submit(std::move(job)); },
        .call_after = [this](
                          std::chrono::milliseconds delay,
                          std::function<void()> task) { loop.call_after(delay, std::move(task)); },
        .secrets_of =
            [this](const Approval& approval, const std::string& person) {
                return consent::message_secrets(secrets, served.page_url, approval, person);
            },
        .pin_code_of =
            [this](const std::string& nonce, const std::string& person) {
                return consent::pin_code(secrets, nonce, person);
            },
        .attempted = {},
        .page_url = [this] { return served.page_url; },
        .fetch_of =
            [this](const std::string& agent_id, const std::string& url) {
                return mailbox::picture_source(agents, http_clients, config->notify.picture_hosts,
                                               agent_id, url);
            },
        .language = config->language,
        .people = config->approval.people};
}

mailbox::Mailboxes::Parts App::Impl::mailbox_parts() {
    return {.context = context,
            .agents = agents,
            .http = http_clients,
            .keys = key_ring,
            .decider = decider,
            .catch_up = catch_up,
            .market = market_watch,
            .listening = listening,
            .leaders = leaders,
            .receiving = receiving,
            .hang = hang,
            .changed = [this] { changes.note(); },
            .connected = [this] { dispatcher.kick(); }};
}

doctor::Doctor::Subjects App::Impl::doctor_subjects() {
    return {.context = context,
            .agents = agents,
            .channels = channels,
            .rules = current_rules,
            .leaders = leaders,
            .listening = serves ? &listening : nullptr,
            .page_problem = served.page_problem,
            .home = home,
            .backups = backups,
            .on_effects = after_commit.looker()};
}

operations::Reload::Parts App::Impl::reload_parts(Opened& opened) {
    return {.context = context,
            .agents = agents,
            .config = config,
            .origins = std::move(opened.loaded.origins),
            .file = home.config_file(),
            .transfers = *transfers,
            .taken = [this](notify::Channels fresh) { use_channels(std::move(fresh)); },
            .on_effects = after_commit.looker()};
}

Runtime App::Impl::make_runtime() {
    return {.context = context,
            .agents = agents,
            .dispatcher = dispatcher,
            .answers = answers,
            .house = house,
            .coordinator = coordinator,
            .profiles = profiles,
            .doctor = checkup,
            .backups = backups,
            .leaders = leaders,
            .current_rules = current_rules,
            .channels = channels,
            .reload = reload,
            .log_ring = *log_ring,
            .model = language_model.get(),
            .served = served,
            .agents_dir = home.agents_dir(),
            .on_effects = after_commit.looker(),
            .stop = [this] { loop.stop(); },
            .press = [this](const notify::Click& click) { return buttons.press(click); },
            .add_agent = [this](const platform::AgentIdentity& identity) { add_agent(identity); },
            .make_page_link = [this](const std::string& person) -> Result<std::string> {
                if (web_server) return web_server->make_link(person);
                return fail(ErrorCode::Unavailable, "the page is not served; a2hd's log says why");
            },
            .save_pin =
                [this](const std::string& person, const std::string& hash) {
                    return consent::save_pin(home.human_file(), pins, secrets,
                                             owner_of(config->approval.people), person, hash);
                }};
}

/// SIGHUP. systemd waits for the second of the two.
void App::Impl::hang_up() {
    service::notify_reloading();
    reload.start([](const Result<config::Changes>&) { service::notify_ready(); });
}

/// An agent whose identity has just been stored.
void App::Impl::add_agent(const platform::AgentIdentity& identity) {
    const std::string& id = identity.account.agent_id;
    mailboxes.add(identity);
    house.greet(id);
    listings.refresh(*agents.at(id));
    mailboxes.open(id);
}

/// After a reload.
void App::Impl::use_channels(notify::Channels fresh) {
    channels.replace(std::move(fresh));
    current_rules.choose(config->trades);
    if (serves) listen_to_channels();
    notifications.use(config->language, config->approval.people, *channels.get());
    stages.use(policy_of(config), language_model.get());
}

/// A worker waits for the listeners of before, which takes up to 2 s.
void App::Impl::listen_to_channels() {
    auto before = std::make_shared<std::unique_ptr<notify::Listeners>>(std::move(listeners));
    if (*before) (*before)->stop();
    if (!notify_workers->submit([before] { before->reset(); })) before->reset();
    listeners = std::make_unique<notify::Listeners>(*channels.get(), runtime.press);
}

/// Thread: the store writer.
void App::Impl::group_ended(const store::Writer::GroupEnd& end) {
    if (end.took) metrics.commit.add(*end.took);
    if (end.failed) metrics.commit_failures.add();
    changes.note();
}

Result<void> App::Impl::serve() {
    auto page = web::WebServer::start(config, secrets, runtime, home);
    if (page) {
        web_server = std::move(*page);
        served.page_url = web_server->url();
    } else {
        served.page_problem = page.error().message;
        log::warning("The approval page is not served: " + page.error().message +
                     "; answer with `a2h approve` or set web.listen in config.toml");
    }
    metrics_port = operations::serve_metrics(runtime);
    if (metrics_port) served.metrics_url = metrics_port->url();
    A2H_ASSIGN_OR_RETURN(control_server, operations::serve_control(runtime, home));
    return {};
}

}  // namespace a2h
