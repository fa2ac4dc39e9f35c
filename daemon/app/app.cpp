#include "daemon/app/app.h"

#include <utility>

#include "core/base/log.h"
#include "core/service/notify.h"
#include "daemon/app/parts.h"
#include "daemon/operations/operation.h"

namespace a2h {
namespace {

consent::Pins::Hashes pin_hashes(const platform::HumanIdentity& human, const Config& config) {
    consent::Pins::Hashes hashes = human.people;
    hashes[owner_of(config.approval.people)] = human.pin_hash;
    return hashes;
}

}  // namespace

App::Impl::Impl(Opened opened, std::shared_ptr<log::Ring> ring, Mode mode)
    : serves(mode == Mode::Serve),
      home(opened.home),
      log_ring(std::move(ring)),
      signals([this] { loop.stop(); },
              [this] { serves ? loop.post([this] { hang_up(); }) : loop.stop(); }),
      lock(std::move(opened.lock)),
      config(opened.loaded.config),
      secrets{opened.human.link_key},
      pins(pin_hashes(opened.human, opened.loaded.config)),
      reader(std::move(opened.loop_reader)),
      writer(std::move(opened.write_database),
             [this](const store::Writer::GroupEnd& end) { group_ended(end); }),
      transfers(std::move(opened.transfers)),
      channels(opened.channels),
      language_model(make_model(opened)),
      context{clock,  loop, writer, *reader, *workers, config, secrets, pins, current_rules.rules(),
              metrics},
      notifications(notification_environment(), opened.channels),
      after_commit({metrics, dispatcher, answers, notifications}, serves),
      leaders(context, std::move(opened.instance), after_commit.looker()),
      key_ring(std::move(opened.receive_reader)),
      authenticator(context, key_ring, after_commit.looker()),
      listings(context, agents),
      executor(context, agents, listings, carriers(), after_commit.looker()),
      answers(context, executor, after_commit.looker()),
      buttons(context, answers, after_commit.looker()),
      house(house_environment()),
      dispatcher(context, agents, dispatcher_house()),
      stages(stages_environment()),
      mail({.context = context,
            .is_ours = [this](const std::string& id) { return house.is_ours(id); },
            .on_effects = after_commit.taker()}),
      coordinator(coordinator_environment()),
      demand_mail(demand_mail_environment()),
      advisor(advisor_environment()),
      decider(
          context, agents, authenticator, stages, mail, demand_mail,
          [this](const outcome::Effects& effects) {
              for (const OutboxMessage& message : effects.outbox)
                  dispatcher.prepare(message);
          },
          after_commit.taker()),
      reporter(context, after_commit.looker()),
      catch_up(
          context,
          [this](const std::string& id) -> mail::Receiver& { return mailboxes.receiver_of(id); },
          after_commit.looker()),
      market_watch(context, key_ring),
      listening(context, agents,
                {after_commit.looker(),
                 [this](Agent& agent) {
                     agent.next_catch_up = {};
                     catch_up.start(agent);
                 }}),
      mailboxes(mailbox_parts(), serves),
      checkup(doctor_subjects()),
      reload(reload_parts(opened)),
      runtime(make_runtime()) {
    health::install_commit_faults(writer, hang);
    for (const auto& identity : opened.identities)
        mailboxes.add(identity);
}

App::Impl::~Impl() {
    // First: whatever is joined below would wait for a market that does not answer.
    transfers->end();
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

void App::Impl::begin_work() {
    changes.start_beating(loop);
    watchdog =
        health::start_watchdog(loop, hang,
                               {{"receive", [this] { return receiving.since(); }},
                                {"write", [this] { return writer.busy_since(); }},
                                {"dispatch", [this] { return dispatcher.unanswered_since(); },
                                 mail::Dispatcher::kPublishWaitMax}});
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
    after_commit.look();
    listen_to_channels();
    mailboxes.open_all();
    mailboxes.tell_manager();
}

App::App(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
App::~App() = default;

Result<std::unique_ptr<App>> App::start(const control::Home& home, Mode mode) {
    auto ring = std::make_shared<log::Ring>();
    log::set_listener(ring);
    A2H_ASSIGN_OR_RETURN(auto opened, open_home(home));
    auto impl = std::make_unique<Impl>(std::move(opened), std::move(ring), mode);
    A2H_TRY(impl->house.load());
    if (impl->serves) A2H_TRY(impl->serve());
    return std::unique_ptr<App>(new App(std::move(impl)));
}

void App::run() {
    impl_->begin_work();
    service::notify_ready();
    log::info("a2hd is ready", {{"agents", static_cast<long long>(impl_->agents.size())},
                                {"page", impl_->served.page_url}});
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
