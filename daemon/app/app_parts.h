#pragma once

// Inside daemon/app*.cpp only: all parts of the daemon and how they are wired to each other.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/log_ring.h"
#include "core/control/change_page.h"
#include "core/control/progress_file.h"
#include "core/control/server.h"
#include "core/http/client.h"
#include "core/platform/identity.h"
#include "core/store/writer.h"
#include "daemon/app/app.h"
#include "daemon/backup/backup.h"
#include "daemon/collab/advisor.h"
#include "daemon/collab/coordinator.h"
#include "daemon/collab/demand_mail.h"
#include "daemon/collab/profile_sync.h"
#include "daemon/config/changes.h"
#include "daemon/config/config.h"
#include "daemon/context/agent.h"
#include "daemon/context/context.h"
#include "daemon/context/current_rules.h"
#include "daemon/doctor/doctor.h"
#include "daemon/health/hang.h"
#include "daemon/health/listening.h"
#include "daemon/health/metrics_port.h"
#include "daemon/health/watchdog.h"
#include "daemon/house/agent_mail.h"
#include "daemon/house/house.h"
#include "daemon/kernel/home_lock.h"
#include "daemon/kernel/signals.h"
#include "daemon/leading/leaders.h"
#include "daemon/mail/button_desk.h"
#include "daemon/mail/catch_up.h"
#include "daemon/mail/listing_sync.h"
#include "daemon/mail/market_watch.h"
#include "daemon/mail/reporter.h"
#include "daemon/mail/retention.h"
#include "daemon/mailbox/mailboxes.h"
#include "daemon/model/language_model.h"
#include "daemon/notify/listening.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/operations/runtime.h"
#include "daemon/stages/exchange.h"
#include "daemon/web/web_server.h"

namespace a2h {

/// The setting that keeps what the language model has spent.
inline constexpr std::string_view kModelSpentSetting = "model.spent";

/// What `start` reads and opens before anything runs.
struct Opened {
    config::Loaded loaded;
    std::filesystem::path rules_file;
    platform::HumanIdentity human;
    std::vector<platform::AgentIdentity> identities;
    std::unique_ptr<HomeLock> lock;
    std::unique_ptr<control::ChangePage> changes;  ///< null where none can be made
    std::unique_ptr<store::Database> write_database;
    std::unique_ptr<store::Database> loop_reader;
    std::unique_ptr<store::Database> receive_reader;
    std::string model_key;
    std::string model_spent;
    std::string instance;  ///< which one of its agents this home is
    std::shared_ptr<log::Ring> log_ring;
};

/// What a worker has read and built for a reload.
struct NewConfig {
    config::Loaded loaded;
    notify::Channels channels;
};

/// An agent of this home would never answer: a2hd serves it, and answers no messages of stages.
/// Errors: InvalidArgument when `options` names one of `own_ids`.
Result<void> check_stages(const stages::Options& options, const std::vector<std::string>& own_ids);

/// Members are in the order in which they are built; `stop_all` and the compiler end them in
/// reverse.
struct App::Impl {
    static constexpr int kWorkerThreads = 4;

    Impl(Opened opened, Mode mode);
    ~Impl();

    std::unique_ptr<model::LanguageModel> make_model(const Opened& opened);
    void add_agent(const platform::AgentIdentity& identity);
    mailbox::Mailboxes::Parts mailbox_parts();
    agents::House::Environment house_environment();
    agents::AgentMail::Environment mail_environment();
    demand::Coordinator::Environment coordinator_environment();
    approvals::Carriers carriers();
    demand::DemandMail::Environment demand_mail_environment();
    demand::Advisor::Environment advisor_environment();
    Result<std::function<void()>> take_at_home(store::Database& db, const InboxMessage& arrival);
    pipeline::Dispatcher::House dispatcher_house();
    std::string link_to(const Approval& approval, const std::string& person) const;
    std::function<Result<std::string>()> picture_source(const std::string& agent_id,
                                                        const std::string& url);
    notify::NotificationQueue::Environment notification_environment();
    stages::Exchange::Environment stages_environment();
    Result<void> save_pin(const std::string& person, const std::string& hash);
    Result<void> make_ready(const control::Home& home);
    Result<void> serve(const control::Home& home);
    Result<void> serve_control(const control::Home& home);
    void serve_metrics();
    void start_watchdog();
    void begin_work();
    void note_change() const;
    void group_ended(const store::Writer::GroupEnd& end);
    void beat();
    void after_effects();
    void hang_up();
    void reload(ReloadDone done);
    void read_again();
    Result<config::Changes> take(NewConfig& next);
    void tell_reload(const Result<config::Changes>& result);
    void listen_to_channels();
    std::vector<std::string> own_ids() const;
    doctor::Doctor::Backup doctors_backup();
    void after_decision(const pipeline::Effects& effects,
                        const std::vector<store::OutboxPlace>& places);

    const bool serves;  ///< false: one operation, and nothing is sent or told
    const std::shared_ptr<log::Ring> log_ring;
    SystemClock clock;
    service::Metrics metrics{clock.now_ms()};
    const service::HangFault hang;
    Loop loop;
    SignalWaiter signals{[this] { loop.stop(); },
                         [this] {
                             if (!serves) return loop.stop();
                             loop.post([this] { hang_up(); });
                         }};  ///< before every other thread
    std::unique_ptr<HomeLock> lock;
    Current<Config> config;
    config::Origins origins;  ///< of `config`
    std::vector<ReloadDone> reload_waiting;
    bool is_reloading = false;
    const stages::Options stage_options{config->stages};  ///< other ones only after a restart
    const approvals::HumanSecrets secrets;
    approvals::Pins pins;
    std::filesystem::path human_file;
    const std::unique_ptr<control::ChangePage> changes;
    CurrentRules current_rules;
    std::unique_ptr<store::Database> reader;
    store::Writer writer;
    service::StepMark receiving;  ///< what Paho has called us with
    http::Transfers transfers;    ///< all calls that this process makes
    mailbox::HttpClients http_clients{transfers};
    Agents agents;
    std::unique_ptr<Workers> workers = std::make_unique<Workers>(kWorkerThreads);
    Current<notify::Channels> channels;
    /// Of its own, so that dead channels keep no market call and no PIN waiting.
    std::unique_ptr<Workers> notify_workers = std::make_unique<Workers>(kWorkerThreads);
    /// Null without [model]. Its threads are its own, so that one that never answers keeps nothing
    /// else waiting.
    std::unique_ptr<model::LanguageModel> language_model;
    const Context context;
    service::Leaders leaders;
    pipeline::KeyRing key_ring;
    pipeline::Authenticator authenticator;
    pipeline::ListingSync listings;
    pipeline::Executor executor;
    pipeline::AnswerDesk answers;
    pipeline::ButtonDesk buttons;
    agents::House house;
    pipeline::Dispatcher dispatcher;
    stages::Exchange stages;
    agents::AgentMail mail;
    demand::ProfileSync profiles{context};
    /// Null without [model].
    std::unique_ptr<demand::Thinking> thinking =
        language_model ? std::make_unique<demand::Thinking>(*language_model) : nullptr;
    demand::Coordinator coordinator;
    demand::DemandMail demand_mail;
    demand::Advisor advisor;
    pipeline::Decider decider;
    pipeline::Reporter reporter;
    pipeline::Retention retention{context};
    pipeline::CatchUp catch_up;
    pipeline::MarketWatch market_watch;
    service::Listening listening;
    mailbox::Mailboxes mailboxes;
    std::unique_ptr<notify::NotificationQueue> notifications;
    Runtime runtime;
    std::unique_ptr<service::Watchdog> watchdog;  ///< null when nobody waits for it
    std::unique_ptr<service::Backups> backups;
    std::unique_ptr<control::Server> control_server;
    std::unique_ptr<web::WebServer> web_server;
    std::unique_ptr<service::MetricsPort> metrics_port;  ///< null without `metrics.listen`
    std::unique_ptr<notify::Listeners> listeners;
    std::unique_ptr<doctor::Doctor> checkup;
};

}  // namespace a2h
