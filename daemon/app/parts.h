#pragma once

// Inside daemon/app only: all parts of the daemon and how they are wired to each other.

#include <memory>
#include <string>

#include "core/base/log_ring.h"
#include "core/control/server.h"
#include "daemon/app/app.h"
#include "daemon/app/opened.h"
#include "daemon/backup/backup.h"
#include "daemon/collab/advisor.h"
#include "daemon/collab/coordinator.h"
#include "daemon/collab/demand_mail.h"
#include "daemon/collab/profile_sync.h"
#include "daemon/doctor/doctor.h"
#include "daemon/health/metrics_port.h"
#include "daemon/kernel/change_notice.h"
#include "daemon/kernel/signals.h"
#include "daemon/mail/after_commit.h"
#include "daemon/mail/button_desk.h"
#include "daemon/mail/listing_sync.h"
#include "daemon/mail/reporter.h"
#include "daemon/mail/retention.h"
#include "daemon/mailbox/mailboxes.h"
#include "daemon/notify/listening.h"
#include "daemon/operations/reload.h"
#include "daemon/operations/runtime.h"
#include "daemon/stages/exchange.h"
#include "daemon/web/web_server.h"

namespace a2h {

/// Members are in the order in which they are built; `~Impl` and the compiler end them in reverse.
/// A part may be given a reference to one that is built after it, and uses it once the loop turns.
struct App::Impl {
    static constexpr int kWorkerThreads = 4;

    Impl(Opened opened, std::shared_ptr<log::Ring> ring, Mode mode);
    ~Impl();
    Result<void> serve();
    void begin_work();

    // wiring.cpp: what each part is given of the others.
    std::unique_ptr<model::LanguageModel> make_model(const Opened& opened);
    consent::Carriers carriers();
    house::House::Environment house_environment();
    mail::Dispatcher::House dispatcher_house();
    Result<std::function<void()>> take_at_home(store::Database& db, const InboxMessage& arrival);
    stages::Exchange::Environment stages_environment();
    collab::Coordinator::Environment coordinator_environment();
    collab::DemandMail::Environment demand_mail_environment();
    collab::Advisor::Environment advisor_environment();
    notify::NotificationQueue::Environment notification_environment();
    mailbox::Mailboxes::Parts mailbox_parts();
    doctor::Doctor::Subjects doctor_subjects();
    operations::Reload::Parts reload_parts(Opened& opened);
    Runtime make_runtime();
    void hang_up();
    void add_agent(const platform::AgentIdentity& identity);
    void use_channels(notify::Channels fresh);
    void listen_to_channels();
    void group_ended(const store::Writer::GroupEnd& end);

    const bool serves;  ///< false: one operation, and nothing is sent or told
    const control::Home home;
    const std::shared_ptr<log::Ring> log_ring;
    SystemClock clock;
    kernel::Metrics metrics{clock.now_ms()};
    const health::HangFault hang;
    Loop loop;
    SignalWaiter signals;  ///< before every other thread
    std::unique_ptr<HomeLock> lock;
    Current<Config> config;
    const stages::Options stage_options{config->stages};  ///< other ones only after a restart
    const consent::HumanSecrets secrets;
    consent::Pins pins;
    const ChangeNotice changes{home.changes_file()};
    CurrentRules current_rules{home, config->trades};
    std::unique_ptr<store::Database> reader;
    store::Writer writer;
    health::StepMark receiving;  ///< set while Paho's thread is in our code
    std::unique_ptr<http::Transfers> transfers;
    mailbox::HttpClients http_clients{*transfers};
    Agents agents;
    std::unique_ptr<Workers> workers = std::make_unique<Workers>(kWorkerThreads);
    Current<notify::Channels> channels;
    /// Of its own, so that dead channels keep no market call and no PIN waiting.
    std::unique_ptr<Workers> notify_workers = std::make_unique<Workers>(kWorkerThreads);
    /// Null without [model]. Its threads are its own, so that a model that never answers keeps
    /// nothing else waiting.
    std::unique_ptr<model::LanguageModel> language_model;
    const Context context;
    Served served;
    notify::NotificationQueue notifications;
    mail::AfterCommit after_commit;
    leading::Leaders leaders;
    mail::KeyRing key_ring;
    mail::Authenticator authenticator;
    mail::ListingSync listings;
    mail::Executor executor;
    mail::AnswerDesk answers;
    mail::ButtonDesk buttons;
    house::House house;
    mail::Dispatcher dispatcher;
    stages::Exchange stages;
    house::AgentMail mail;
    collab::ProfileSync profiles{context};
    /// Null without [model].
    std::unique_ptr<collab::Thinking> thinking =
        language_model ? std::make_unique<collab::Thinking>(*language_model) : nullptr;
    collab::Coordinator coordinator;
    collab::DemandMail demand_mail;
    collab::Advisor advisor;
    mail::Decider decider;
    mail::Reporter reporter;
    mail::Retention retention{context};
    mail::CatchUp catch_up;
    mail::MarketWatch market_watch;
    health::Listening listening;
    mailbox::Mailboxes mailboxes;
    backup::Backups backups{home, clock, loop};
    doctor::Doctor checkup;
    operations::Reload reload;
    Runtime runtime;
    // What only a process that serves has; each ends before all above.
    std::unique_ptr<health::Watchdog> watchdog;
    std::unique_ptr<control::Server> control_server;
    std::unique_ptr<web::WebServer> web_server;
    std::unique_ptr<health::MetricsPort> metrics_port;
    std::unique_ptr<notify::Listeners> listeners;
};

}  // namespace a2h
