#pragma once

// Inside daemon/app only.

#include <memory>

#include "core/base/log_ring.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/logins.h"
#include "daemon/agents/removal.h"
#include "daemon/agents/resident_delivery.h"
#include "daemon/answers/button_answers.h"
#include "daemon/backup/backup.h"
#include "daemon/collab/demand_mail.h"
#include "daemon/consent/message_secrets.h"
#include "daemon/doctor/doctor.h"
#include "daemon/health/read_first.h"
#include "daemon/home/opened.h"
#include "daemon/kernel/signals.h"
#include "daemon/mail/way.h"
#include "daemon/mailbox/pictures.h"
#include "daemon/operations/reload.h"
#include "daemon/operations/seen_offers.h"
#include "daemon/operations/serving.h"
#include "daemon/trade/changed_listings.h"
#include "daemon/trade/listing_sync.h"
#include "daemon/trade/market_calls.h"
#include "daemon/upkeep/notification_waker.h"
#include "daemon/upkeep/reporter.h"
#include "daemon/upkeep/retention.h"
#include "daemon/web/web_server.h"

namespace a2h {

/// All parts of the daemon in the order in which they are built. They are destroyed in reverse.
/// Each part receives the earlier parts that it works with, and is complete after its construction.
struct Parts {
    static constexpr int kWorkerThreads = 4;

    Parts(home::Opened&& given, std::shared_ptr<log::Ring> ring, bool serves);
    ~Parts();
    /// Starts the work of a process that serves. Call once all parts are built.
    void begin_work();

    const bool serves;             ///< false: one operation runs, and nothing is sent or notified
    const SignalMask signal_mask;  ///< built before any other thread starts
    home::Opened opened;
    const std::shared_ptr<log::Ring> log_ring;

    // The kernel.
    SystemClock clock;
    kernel::Metrics metrics{clock.now_ms()};
    const health::HangFault hang;
    Loop loop;
    Current<Config> config{opened.loaded.config};
    const ChangeNotice changes{opened.home.changes_file()};
    store::Writer writer{std::move(opened.write_database),
                         [&metrics = metrics, &changes = changes](const auto& end) {
                             if (end.took) metrics.commit.add(*end.took);
                             if (end.failed) metrics.commit_failures.add();
                             changes.note();
                         }};
    std::unique_ptr<Workers> workers = std::make_unique<Workers>(kWorkerThreads);
    const kernel::Kernel kernel{clock, loop, writer, *opened.loop_reader, *workers};

    // Settings of people and rules, and the connections of this process.
    const stages::Options stage_options{
        config->stages};  ///< changes take effect only after a restart
    const consent::HumanSecrets secrets{opened.human.link_key};
    consent::Pins pins{home::pin_hashes(opened)};
    CurrentRules rules{opened.home, config->trades};
    Current<notify::Audience> audience{
        {opened.channels, config->language, config->approval.people}};
    mailbox::HttpClients http_clients{*opened.transfers};
    /// A pool of its own, so that channels that do not answer delay neither market calls nor PIN
    /// checks.
    std::unique_ptr<Workers> notify_workers = std::make_unique<Workers>(kWorkerThreads);
    /// Null without [model]. It has threads of its own, so that a model that does not answer delays
    /// nothing else.
    const std::unique_ptr<model::LanguageModel> language_model =
        home::make_model(opened, loop, clock, writer);
    const web::Page page = serves ? web::open_page(config, clock, opened.home) : web::Page{};
    Agents agents;
    outcome::Commits commits{metrics, serves};
    leading::Leaders leaders{kernel, config, std::move(opened.instance), commits, serves};

    // Whether all mail was received.
    mail::CatchUp catch_up{kernel, config, commits};
    health::Listening listening{kernel, config, agents, catch_up, commits};
    const health::ReadFirst unread_mail{kernel, agents, catch_up, serves ? &listening : nullptr};

    // Features that settle mail themselves.
    const std::unique_ptr<collab::Thinking> thinking =
        language_model ? std::make_unique<collab::Thinking>(*language_model) : nullptr;
    const operations::WordsInProfiles words_in_profiles{agents};
    collab::ProfileSync profiles{kernel, words_in_profiles};
    collab::Coordinator coordinator{kernel,      config,         agents, profiles,
                                    unread_mail, thinking.get(), commits};
    collab::Advisor advisor{kernel, config, agents, profiles, unread_mail, thinking.get(), commits};
    collab::DemandMail demand_mail{
        kernel, config, coordinator, advisor, unread_mail, serves&& thinking, commits};
    agents::Residents residents{agents};
    agents::AgentMail agent_mail{kernel, config, residents, commits};
    mail::Deciding deciding{kernel, config, rules.rules(), agents};
    stages::Exchange stages{clock,  loop,          writer,   kernel.reader,
                            config, stage_options, deciding, language_model.get(),
                            commits};
    const outcome::OwnMailTable own_mail{{&stages, &demand_mail, &agent_mail}};

    // The way of a message.
    mail::KeyRing key_ring{std::move(opened.receive_reader)};
    mail::Authenticator authenticator{kernel, config, key_ring, commits};
    const agents::ResidentDelivery resident_delivery{kernel,    metrics,  agents,
                                                     residents, own_mail, commits};
    mail::Dispatcher dispatcher{kernel,      config, metrics, agents, resident_delivery,
                                unread_mail, commits};
    mail::Way way{kernel,   config,      agents, authenticator, deciding,
                  own_mail, unread_mail, stages, commits};
    mail::MarketWatch market_watch{kernel, config, key_ring};
    health::StepMark receiving;  ///< set while Paho's thread runs our code
    mailbox::Mailboxes mailboxes{
        {kernel, config, metrics, agents, http_clients, key_ring, way, catch_up, market_watch,
         dispatcher, listening, leaders, receiving, hang, changes},
        serves};
    agents::LocalAgents local_agents{kernel,    config,   agents, residents,
                                     mailboxes, own_mail, commits};

    agents::Removal removal{kernel,    config,    agents, opened.home.agents_dir(),
                            residents, mailboxes, commits};

    // The way of an approval.
    const trade::ChangedListings changed_listings{kernel, config, commits};
    trade::ListingSync listings{kernel, agents, changed_listings.callback()};
    agents::Logins logins{
        kernel,    agents,       opened.home.agents_dir(),
        mailboxes, local_agents, [&listings = listings](Agent& agent) { listings.refresh(agent); }};
    trade::MarketCalls market_calls{kernel,   config,      metrics, agents,
                                    listings, unread_mail, commits};
    answers::Executor executor{
        kernel,
        config,
        agents,
        {{collab::kSubmitAction, consent::when(serves, collab::carrier_by(coordinator))},
         {agents::kSpawnAction, consent::when(serves, agents::carrier_by(local_agents))},
         {agents::kTakeInAction, consent::when(serves, agents::carrier_by(logins))}},
        market_calls,
        commits};
    answers::Answers answers{kernel,  config,   secrets,     pins,
                             metrics, executor, unread_mail, commits};
    answers::ButtonAnswers buttons{kernel, config, answers, commits};
    const consent::MessageProofs proofs{secrets, page.served.page_url};
    mailbox::Pictures pictures{agents, http_clients, config};
    notify::NotificationQueue notifications{
        loop,   writer,   kernel.reader,        clock,    *notify_workers,
        proofs, pictures, page.served.page_url, audience, mailboxes.acting_agents()};
    upkeep::NotificationWaker notification_waker{notifications, commits};
    notify::ChannelListeners channel_listeners{audience, *notify_workers, buttons};

    // Periodic work, and what people ask for.
    upkeep::Reporter reporter{kernel, config, commits};
    upkeep::Retention retention{kernel, config};
    backup::Backups backups{opened.home, clock, loop};
    doctor::Doctor doctor{{kernel, config, agents, audience, rules, leaders,
                           serves ? &listening : nullptr, page.served.page_problem, opened.home,
                           backups, commits}};
    operations::Reload reload{{kernel, agents, config, audience, rules,
                               std::move(opened.loaded.origins), opened.home.config_file(),
                               *opened.transfers, serves ? &channel_listeners : nullptr, commits}};
};

}  // namespace a2h
