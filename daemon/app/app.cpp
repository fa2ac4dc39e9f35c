#include "daemon/app/app.h"

#include <cstdlib>
#include <utility>

#include "core/base/log.h"
#include "core/service/activation.h"
#include "core/service/notify.h"
#include "core/store/setting_store.h"
#include "daemon/app/app_parts.h"
#include "daemon/backup/restore.h"
#include "daemon/health/exposition.h"
#include "daemon/kernel/identities.h"
#include "daemon/operations/metrics.h"
#include "daemon/operations/operation.h"

namespace a2h {
namespace {

approvals::Pins::Hashes pin_hashes(const platform::HumanIdentity& human, const Config& config) {
    approvals::Pins::Hashes hashes = human.people;
    hashes[owner_of(config.approval.people)] = human.pin_hash;
    return hashes;
}

Result<std::unique_ptr<store::Database>> open_reader(const control::Home& home) {
    return store::Database::open(home.database_file(), store::Database::Mode::ReadOnly);
}

/// Without the page everything works; who asks often costs more then.
std::unique_ptr<control::ChangePage> make_change_page(const control::Home& home) {
    auto page = control::ChangePage::create(home.changes_file());
    if (page) return std::move(*page);
    log::warning("No page of changes", {{"error", page.error().message}});
    return nullptr;
}

std::vector<std::string> ids_of(const std::vector<platform::AgentIdentity>& identities) {
    std::vector<std::string> ids;
    for (const auto& identity : identities)
        ids.push_back(identity.account.agent_id);
    return ids;
}

Result<Opened> open_all(const control::Home& home) {
    A2H_TRY(platform::make_private_folder(home.root));
    A2H_TRY(platform::make_private_folder(home.run_dir()));
    A2H_ASSIGN_OR_RETURN(auto lock, HomeLock::take(home.lock_file()));
    A2H_TRY(service::check_no_restore_is_open(home));
    A2H_ASSIGN_OR_RETURN(auto loaded, config::load(home.config_file()));
    A2H_ASSIGN_OR_RETURN(auto identities, service::load_agents(home));
    if (identities.empty()) {
        return fail(ErrorCode::NotFound,
                    "there is no agent in " + home.root.string() + "; run `a2h init` first");
    }
    A2H_TRY(check_stages(loaded.config.stages, ids_of(identities)));
    A2H_ASSIGN_OR_RETURN(auto human, service::load_human(home));
    control::ProgressFile progress(home.progress_file());
    auto write_database =
        store::Database::open(home.database_file(), store::Database::Mode::ReadWrite, progress);
    progress.end();
    if (!write_database) return fail(write_database.error());
    A2H_ASSIGN_OR_RETURN(auto loop_reader, open_reader(home));
    A2H_ASSIGN_OR_RETURN(auto receive_reader, open_reader(home));
    A2H_ASSIGN_OR_RETURN(auto model_key, model::read_key(loaded.config.model,
                                                         service::credentials_folder().native()));
    A2H_ASSIGN_OR_RETURN(const auto model_spent,
                         store::get_setting(*loop_reader, {}, kModelSpentSetting));
    A2H_ASSIGN_OR_RETURN(auto instance, service::instance_of(home));
    return Opened{std::move(loaded),
                  home.rules_file(),
                  std::move(human),
                  std::move(identities),
                  std::move(lock),
                  make_change_page(home),
                  std::move(*write_database),
                  std::move(loop_reader),
                  std::move(receive_reader),
                  std::move(model_key),
                  model_spent.value_or(""),
                  std::move(instance),
                  {}};
}

/// What is drafted or judged by others first is decided later.
bool is_decided(TaskState state) {
    return state == TaskState::Done || state == TaskState::WaitingForHuman;
}

/// Fault tests make commits fail by creating the file that this variable names, or hang.
void install_commit_faults(store::Writer& writer, const service::HangFault& hang) {
    const char* file = std::getenv("A2H_FAULT_COMMIT_FILE");
    if (file == nullptr && !hang.is_installed()) return;
    const std::filesystem::path failing = file == nullptr ? "" : file;
    writer.set_commit_gate([failing, &hang]() -> Result<void> {
        hang.pass("writer");
        std::error_code ignored;
        if (failing.empty() || !std::filesystem::exists(failing, ignored)) return {};
        return fail(ErrorCode::ResourceExhausted, "commits fail because a test asks for it");
    });
}

}  // namespace

Result<void> check_stages(const stages::Options& options, const std::vector<std::string>& own_ids) {
    for (const std::string& id : own_ids) {
        if (id == options.context || id == options.agent || id == options.review) {
            return invalid("[stages] of config.toml names " + id +
                           ", which a2hd serves itself; name the agent of another program");
        }
    }
    return {};
}

App::Impl::Impl(Opened opened, Mode mode)
    : serves(mode == Mode::Serve),
      log_ring(std::move(opened.log_ring)),
      lock(std::move(opened.lock)),
      config(std::move(opened.loaded.config)),
      origins(std::move(opened.loaded.origins)),
      secrets{opened.human.link_key},
      pins(pin_hashes(opened.human, *config.get())),
      changes(std::move(opened.changes)),
      current_rules(std::move(opened.rules_file)),
      reader(std::move(opened.loop_reader)),
      writer(std::move(opened.write_database),
             [this](const store::Writer::GroupEnd& end) { group_ended(end); }),
      language_model(make_model(opened)),
      context{clock,  loop, writer, *reader, *workers, config, secrets, pins, current_rules.rules(),
              metrics},
      leaders(context, std::move(opened.instance), [this] { after_effects(); }),
      key_ring(std::move(opened.receive_reader)),
      authenticator(context, key_ring, [this] { after_effects(); }),
      listings(context, agents),
      executor(context, agents, listings, carriers(), [this] { after_effects(); }),
      answers(context, executor, [this] { after_effects(); }),
      buttons(context, answers, [this] { after_effects(); }),
      house(house_environment()),
      dispatcher(context, agents, dispatcher_house()),
      stages(stages_environment()),
      mail(mail_environment()),
      coordinator(coordinator_environment()),
      demand_mail(demand_mail_environment()),
      advisor(advisor_environment()),
      decider(
          context, agents, authenticator, stages, mail, demand_mail,
          [this](const pipeline::Effects& effects) {
              for (const OutboxMessage& message : effects.outbox)
                  dispatcher.prepare(message);
          },
          [this](const pipeline::Effects& effects, const std::vector<store::OutboxPlace>& places) {
              after_decision(effects, places);
          }),
      reporter(context, [this] { after_effects(); }),
      catch_up(
          context,
          [this](const std::string& id) -> pipeline::Receiver& {
              return mailboxes.receiver_of(id);
          },
          [this] { after_effects(); }),
      market_watch(context, key_ring),
      listening(context, agents,
                {[this] { after_effects(); },
                 [this](Agent& agent) {
                     agent.next_catch_up = {};
                     catch_up.start(agent);
                 }}),
      mailboxes(mailbox_parts(), serves),
      runtime{context,
              agents,
              decider,
              dispatcher,
              answers,
              [this] { after_effects(); },
              [this] { loop.stop(); },
              [this](const platform::AgentIdentity& identity) { add_agent(identity); },
              [this](const std::string& person) -> Result<std::string> {
                  if (web_server) return web_server->make_link(person);
                  return fail(ErrorCode::Unavailable,
                              "the page is not served; a2hd's log says why");
              },
              [this](const std::string& person, const std::string& hash) {
                  return save_pin(person, hash);
              },
              {},
              {},
              {},
              nullptr,
              {}} {
    install_commit_faults(writer, hang);
    for (const auto& identity : opened.identities)
        mailboxes.add(identity);
}

App::Impl::~Impl() {
    // First: whatever is joined below would wait for a market that does not answer.
    transfers.end();
    checkup.reset();
    listeners.reset();
    metrics_port.reset();
    web_server.reset();
    control_server.reset();
    for (auto& [id, agent] : agents)
        agent->connection.reset();
    notify_workers.reset();
    workers.reset();
    // What still waits to be written works with parts that end before the writer.
    writer.submit_urgent([](store::Database&) { return Result<void>(); }).wait();
}

void App::Impl::after_effects() {
    if (!serves) return;
    dispatcher.kick();
    notifications->wake();
}

/// Of each message, so it looks only at what there is.
void App::Impl::after_decision(const pipeline::Effects& effects,
                               const std::vector<store::OutboxPlace>& places) {
    if (effects.task && is_decided(effects.task->state)) {
        metrics.decided.add(effects.task->rule_id, effects.task->decision);
    }
    if (effects.approval) metrics.count_opened(*effects.approval);
    if (!serves) return;
    for (std::size_t i = 0; i < places.size(); ++i)
        dispatcher.send(effects.outbox[i], places[i]);
    if (!effects.approval) return;
    if (effects.approval->status == ApprovalStatus::Approved) {
        answers.released(*effects.approval);
    } else {
        notifications->wake();
    }
}

/// One at a time, since it runs on the store writer only.
Result<void> App::Impl::save_pin(const std::string& person, const std::string& hash) {
    auto hashes = pins.hashes();
    hashes[person] = hash;
    platform::HumanIdentity human{{}, secrets.link_key, hashes};
    const std::string owner = owner_of(config->approval.people);
    human.pin_hash = hashes[owner];
    human.people.erase(owner);
    A2H_TRY(platform::replace_human(human_file, human));
    pins.set(person, hash);
    return {};
}

Result<void> App::Impl::make_ready(const control::Home& home) {
    runtime.agents_dir = home.agents_dir();
    human_file = home.human_file();
    A2H_ASSIGN_OR_RETURN(auto made, notify::make_channels(config->notify, &transfers));
    channels.replace(std::move(made));
    runtime.channels = &channels;
    runtime.current_rules = &current_rules;
    runtime.config_file = home.config_file();
    runtime.origins = &origins;
    runtime.reload = [this](ReloadDone done) { reload(std::move(done)); };
    runtime.model = language_model.get();
    runtime.house = &house;
    backups = std::make_unique<service::Backups>(home, clock, loop);
    runtime.backups = backups.get();
    checkup = std::make_unique<doctor::Doctor>(
        doctor::Doctor::Subjects{.context = context,
                                 .agents = agents,
                                 .channels = channels,
                                 .rules = current_rules,
                                 .leaders = leaders,
                                 .listening = serves ? &listening : nullptr,
                                 .page_problem = runtime.web_problem,
                                 .home = home,
                                 .backup = doctors_backup(),
                                 .on_effects = runtime.on_effects});
    runtime.doctor = checkup.get();
    runtime.leaders = &leaders;
    runtime.coordinator = &coordinator;
    runtime.profiles = &profiles;
    runtime.log_ring = log_ring.get();
    runtime.press = [this](const notify::Click& click) { return buttons.press(click); };
    notifications =
        std::make_unique<notify::NotificationQueue>(notification_environment(), *channels.get());
    return {};
}

/// As `a2h backup` without a place makes it.
doctor::Doctor::Backup App::Impl::doctors_backup() {
    return [this](const std::function<void(Result<std::string>)>& done) {
        backups->start({}, [done](const Result<service::BackupReport>& written) {
            done(written ? Result<std::string>(written->path.string()) : fail(written.error()));
        });
    };
}

Result<void> App::Impl::serve(const control::Home& home) {
    auto page = web::WebServer::start(config, secrets, runtime, home);
    if (page) {
        web_server = std::move(*page);
        runtime.web_url = web_server->url();
    } else {
        runtime.web_problem = page.error().message;
        log::warning("The approval page is not served: " + page.error().message +
                     "; answer with `a2h approve` or set web.listen in config.toml");
    }
    serve_metrics();
    return serve_control(home);
}

void App::Impl::serve_metrics() {
    if (config->metrics_address.empty()) return;
    auto port = service::MetricsPort::start(
        config->metrics_address, config->metrics_port, loop, [this]() -> Result<std::string> {
            A2H_ASSIGN_OR_RETURN(const auto families, operations::metrics_of(runtime));
            return service::exposition_text(families);
        });
    if (port) {
        metrics_port = std::move(*port);
        runtime.metrics_url = metrics_port->url();
    } else {
        log::warning("Metrics are not served: " + port.error().message +
                     "; set metrics.listen in config.toml, or use `a2h metrics`");
    }
}

/// On the socket of a socket unit, if that is what started us.
Result<void> App::Impl::serve_control(const control::Home& home) {
    A2H_ASSIGN_OR_RETURN(const auto handed_over, service::take_listening_socket());
    auto on_line = [this](std::string line, control::Server::Respond respond) {
        loop.post([this, line = std::move(line), respond = std::move(respond)] {
            operations::dispatch_line(runtime, line, respond);
        });
    };
    A2H_ASSIGN_OR_RETURN(
        auto control, handed_over ? control::Server::adopt(*handed_over, std::move(on_line))
                                  : control::Server::start(home.socket_file(), std::move(on_line)));
    control_server = std::move(control);
    return {};
}

void App::Impl::begin_work() {
    beat();
    start_watchdog();
    listings.start();
    executor.resume();
    answers.start_clocks();
    dispatcher.start_expiry();
    listening.start();
    reporter.start();
    retention.start();
    stages.resume();
    coordinator.start();
    advisor.look();
    decider.kick();
    dispatcher.kick();
    notifications->wake();
    listen_to_channels();
    mailboxes.open_all();
}

/// Thread: the store writer.
void App::Impl::group_ended(const store::Writer::GroupEnd& end) {
    if (end.took) metrics.commit.add(*end.took);
    if (end.failed) metrics.commit_failures.add();
    note_change();
}

void App::Impl::note_change() const {
    if (changes) changes->note_change();
}

void App::Impl::beat() {
    if (!changes) return;
    changes->beat();
    loop.call_after(std::chrono::milliseconds(control::ChangePage::kBeatMs), [this] { beat(); });
}

void App::Impl::start_watchdog() {
    const auto period = service::watchdog_period();
    if (!period) return;
    watchdog = std::make_unique<service::Watchdog>(
        service::Watchdog::Environment{
            .call_after =
                [this](std::chrono::milliseconds delay, std::function<void()> look) {
                    loop.call_after(delay, [this, look = std::move(look)] {
                        hang.pass("loop");
                        look();
                    });
                },
            .now = std::chrono::steady_clock::now,
            .feed = service::notify_watchdog},
        *period,
        std::vector<service::Watched>{{"receive", [this] { return receiving.since(); }},
                                      {"write", [this] { return writer.busy_since(); }},
                                      {"dispatch", [this] { return dispatcher.unanswered_since(); },
                                       pipeline::Dispatcher::kPublishWaitMax}});
    watchdog->start();
}

App::App(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
App::~App() = default;

Result<std::unique_ptr<App>> App::start(const control::Home& home, Mode mode) {
    auto ring = std::make_shared<log::Ring>();
    log::set_listener(ring);
    A2H_ASSIGN_OR_RETURN(auto opened, open_all(home));
    opened.log_ring = std::move(ring);
    auto impl = std::make_unique<Impl>(std::move(opened), mode);
    A2H_TRY(impl->house.load());
    A2H_TRY(impl->make_ready(home));
    if (impl->serves) A2H_TRY(impl->serve(home));
    return std::unique_ptr<App>(new App(std::move(impl)));
}

void App::run() {
    impl_->begin_work();
    impl_->mailboxes.tell_manager();
    service::notify_ready();
    log::info("a2hd is ready", {{"agents", static_cast<long long>(impl_->agents.size())},
                                {"page", impl_->runtime.web_url}});
    impl_->loop.run();
    service::notify_stopping();
}

std::string App::run_once(const std::string& line) {
    std::string answer;
    impl_->loop.post([this, &line, &answer] {
        operations::dispatch_line(impl_->runtime, line, [this, &answer](std::string text) {
            answer = std::move(text);
            impl_->loop.stop();
        });
    });
    impl_->loop.run();
    return answer;
}

}  // namespace a2h
