#include "daemon/app.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "core/base/log.h"
#include "core/control/change_page.h"
#include "core/control/server.h"
#include "core/http/client.h"
#include "core/mqtt/connection.h"
#include "core/platform/identity.h"
#include "core/store/setting_store.h"
#include "core/store/writer.h"
#include "daemon/agent.h"
#include "daemon/config.h"
#include "daemon/context.h"
#include "daemon/current_rules.h"
#include "daemon/home_lock.h"
#include "daemon/model/language_model.h"
#include "daemon/notify/listening.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/notify/pictures.h"
#include "daemon/operations/operation.h"
#include "daemon/pipeline/button_desk.h"
#include "daemon/pipeline/catch_up.h"
#include "daemon/pipeline/listing_sync.h"
#include "daemon/pipeline/market_watch.h"
#include "daemon/pipeline/receiver.h"
#include "daemon/pipeline/reporter.h"
#include "daemon/pipeline/self_tester.h"
#include "daemon/pipeline/snapshot.h"
#include "daemon/runtime.h"
#include "daemon/signals.h"
#include "daemon/stages/exchange.h"
#include "daemon/web/web_server.h"

namespace a2h {
namespace {

constexpr int kWorkerThreads = 4;

/// What `start` reads and opens before anything runs.
struct Opened {
    Config config;
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
};

constexpr std::string_view kModelSpent = "model.spent";

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

/// An agent of this home would never answer: a2hd serves it, and answers no messages of stages.
Result<void> check_stages(const stages::Options& options,
                          const std::vector<platform::AgentIdentity>& identities) {
    for (const auto& identity : identities) {
        const std::string& id = identity.account.agent_id;
        if (id == options.context || id == options.agent || id == options.review) {
            return invalid("[stages] of config.toml names " + id +
                           ", which a2hd serves itself; name the agent of another program");
        }
    }
    return {};
}

Result<Opened> open_all(const control::Home& home) {
    A2H_TRY(platform::make_private_folder(home.root));
    A2H_TRY(platform::make_private_folder(home.run_dir()));
    auto lock = HomeLock::take(home.lock_file());
    if (!lock) return fail(lock.error());
    auto config = load_config(home.config_file());
    if (!config) return fail(config.error());
    auto identities = platform::load_agents(home.agents_dir());
    if (!identities) return fail(identities.error());
    if (identities->empty()) {
        return fail(ErrorCode::NotFound,
                    "there is no agent in " + home.root.string() + "; run `a2h init` first");
    }
    A2H_TRY(check_stages(config->stages, *identities));
    auto human = platform::load_human(home.human_file());
    if (!human) return fail(human.error());
    auto write_database =
        store::Database::open(home.database_file(), store::Database::Mode::ReadWrite);
    if (!write_database) return fail(write_database.error());
    auto loop_reader = open_reader(home);
    if (!loop_reader) return fail(loop_reader.error());
    auto receive_reader = open_reader(home);
    if (!receive_reader) return fail(receive_reader.error());
    const char* credentials = std::getenv("CREDENTIALS_DIRECTORY");
    auto model_key = model::read_key(config->model, credentials == nullptr ? "" : credentials);
    if (!model_key) return fail(model_key.error());
    const auto model_spent = store::get_setting(**loop_reader, {}, kModelSpent);
    if (!model_spent) return fail(model_spent.error());
    return Opened{std::move(*config),         home.rules_file(),        std::move(*human),
                  std::move(*identities),     std::move(*lock),         make_change_page(home),
                  std::move(*write_database), std::move(*loop_reader),  std::move(*receive_reader),
                  std::move(*model_key),      model_spent->value_or("")};
}

/// Fault tests make commits fail by creating the file that this variable names.
void install_commit_fault(store::Writer& writer) {
    const char* file = std::getenv("A2H_FAULT_COMMIT_FILE");
    if (file == nullptr) return;
    writer.set_commit_gate([path = std::filesystem::path(file)]() -> Result<void> {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) return {};
        return fail(ErrorCode::ResourceExhausted, "commits fail because a test asks for it");
    });
}

}  // namespace

/// Members are in the order in which they are built; `stop_all` and the compiler end them in
/// reverse.
struct App::Impl {
    explicit Impl(Opened opened);
    ~Impl();

    std::unique_ptr<model::LanguageModel> make_model(const Opened& opened);
    void add_agent(const platform::AgentIdentity& identity);
    void build_agents(const std::vector<platform::AgentIdentity>& identities);
    std::unique_ptr<mqtt::Connection> connect(Agent& agent, pipeline::Receiver& receiver);
    void connection_changed(Agent& agent, const mqtt::State& state);
    std::string link_to(const Approval& approval, const std::string& person) const;
    std::function<Result<std::string>()> picture_source(const std::string& agent_id,
                                                        const std::string& url);
    notify::NotificationQueue::Environment notification_environment();
    stages::Exchange::Environment stages_environment();
    Result<void> save_pin(const std::string& person, const std::string& hash);
    Result<void> serve(const control::Home& home);
    void begin_work();
    void note_change() const;
    void beat();
    void after_effects();
    void after_decision(const pipeline::Effects& effects,
                        const std::vector<store::OutboxPlace>& places);

    SystemClock clock;
    Loop loop;
    SignalWaiter signals{[this] { loop.stop(); }};  ///< before every other thread
    std::unique_ptr<HomeLock> lock;
    const Config config;
    const approvals::HumanSecrets secrets;
    approvals::Pins pins;
    std::filesystem::path human_file;
    const std::unique_ptr<control::ChangePage> changes;
    CurrentRules current_rules;
    std::unique_ptr<store::Database> reader;
    store::Writer writer;
    std::map<std::string, std::unique_ptr<http::Client>> http_clients;  ///< by CA file
    Agents agents;
    std::unique_ptr<Workers> workers = std::make_unique<Workers>(kWorkerThreads);
    std::vector<std::unique_ptr<notify::Channel>> channels;
    /// Of its own, so that dead channels keep no market call and no PIN waiting.
    std::unique_ptr<Workers> notify_workers = std::make_unique<Workers>(kWorkerThreads);
    /// Null without [model]. Its threads are its own, so that one that never answers keeps nothing
    /// else waiting.
    std::unique_ptr<model::LanguageModel> language_model;
    const Context context;
    pipeline::KeyRing key_ring;
    pipeline::Authenticator authenticator;
    pipeline::ListingSync listings;
    pipeline::Executor executor;
    pipeline::AnswerDesk answers;
    pipeline::ButtonDesk buttons;
    pipeline::Dispatcher dispatcher;
    stages::Exchange stages;
    pipeline::Decider decider;
    pipeline::SelfTester self_tester;
    pipeline::Reporter reporter;
    pipeline::CatchUp catch_up;
    pipeline::MarketWatch market_watch;
    std::unique_ptr<notify::NotificationQueue> notifications;
    Runtime runtime;
    std::map<std::string, std::unique_ptr<pipeline::Receiver>> receivers;
    std::unique_ptr<control::Server> control_server;
    std::unique_ptr<web::WebServer> web_server;
    std::unique_ptr<notify::Listeners> listeners;
};

App::Impl::Impl(Opened opened)
    : lock(std::move(opened.lock)),
      config(std::move(opened.config)),
      secrets{opened.human.link_key},
      pins(pin_hashes(opened.human, config)),
      changes(std::move(opened.changes)),
      current_rules(std::move(opened.rules_file)),
      reader(std::move(opened.loop_reader)),
      writer(std::move(opened.write_database), [this] { note_change(); }),
      language_model(make_model(opened)),
      context{clock, loop, writer, *reader, *workers, config, secrets, pins, current_rules.rules()},
      key_ring(std::move(opened.receive_reader)),
      authenticator(context, key_ring, [this] { after_effects(); }),
      listings(context, agents),
      executor(context, agents, listings, [this] { after_effects(); }),
      answers(context, executor, [this] { after_effects(); }),
      buttons(context, answers, [this] { after_effects(); }),
      dispatcher(context, agents),
      stages(stages_environment()),
      decider(
          context, agents, authenticator, stages,
          [this](const pipeline::Effects& effects) {
              for (const OutboxMessage& message : effects.outbox)
                  dispatcher.prepare(message);
          },
          [this](const pipeline::Effects& effects, const std::vector<store::OutboxPlace>& places) {
              after_decision(effects, places);
          }),
      self_tester(context, agents),
      reporter(context, [this] { after_effects(); }),
      catch_up(context,
               [this](const std::string& id) -> pipeline::Receiver& { return *receivers.at(id); }),
      market_watch(context, key_ring),
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
              nullptr,
              {}} {
    install_commit_fault(writer);
    build_agents(opened.identities);
}

App::Impl::~Impl() {
    listeners.reset();
    web_server.reset();
    control_server.reset();
    for (auto& [id, agent] : agents)
        agent->connection.reset();
    notify_workers.reset();
    workers.reset();
}

std::unique_ptr<model::LanguageModel> App::Impl::make_model(const Opened& opened) {
    auto made = model::make_drafter(
        config.model,
        {.poster = loop,
         .clock = clock,
         .key = opened.model_key,
         .spent = opened.model_spent,
         .save = [this](std::string spent) {
             writer.submit(
                 store::Writer::Priority::Background,
                 [spent = std::move(spent)](store::Database& db) {
                     return store::put_setting(db, {}, kModelSpent, spent);
                 },
                 [](const Result<void>&) {});  // the writer tells of its failures in status
         }});
    A2H_CHECK(made.has_value());  // the configuration was checked when it was read
    return std::move(*made);
}

void App::Impl::after_effects() {
    dispatcher.kick();
    notifications->wake();
}

/// Of each message, so it looks only at what there is.
void App::Impl::after_decision(const pipeline::Effects& effects,
                               const std::vector<store::OutboxPlace>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
        dispatcher.send(effects.outbox[i], places[i]);
    if (!effects.approval) return;
    if (effects.approval->status == ApprovalStatus::Approved) {
        answers.released(*effects.approval);
    } else {
        notifications->wake();
    }
}

void App::Impl::build_agents(const std::vector<platform::AgentIdentity>& identities) {
    for (const auto& identity : identities) {
        auto& http = http_clients[identity.ca_file];
        if (!http) {
            http = std::make_unique<http::Client>(http::Client::Options{
                .ca_file = identity.ca_file, .user_agent = "a2hd/" A2H_VERSION});
        }
        auto agent = std::make_unique<Agent>();
        agent->identity = identity;
        agent->platform = std::make_unique<platform::Client>(*http, clock, identity.account);
        const std::string& id = identity.account.agent_id;
        receivers[id] = std::make_unique<pipeline::Receiver>(
            id, identity.account.keys, clock, writer, loop, key_ring,
            pipeline::Receiver::Events{
                .expected = [this](const InboxMessage& message) { decider.expect(message); },
                .accepted = [this](const InboxMessage& message) { decider.accept(message); },
                .self_test_returned =
                    [this, raw = agent.get()](const std::string& message_id) {
                        self_tester.returned(*raw, message_id);
                    }});
        agent->connection = connect(*agent, *receivers[id]);
        market_watch.load(*agent);
        agents[id] = std::move(agent);
    }
}

void App::Impl::add_agent(const platform::AgentIdentity& identity) {
    build_agents({identity});
    Agent& agent = *agents.at(identity.account.agent_id);
    listings.refresh(agent);
    agent.connection->start();
}

std::unique_ptr<mqtt::Connection> App::Impl::connect(Agent& agent, pipeline::Receiver& receiver) {
    const std::string& id = agent.identity.account.agent_id;
    mqtt::Options options;
    options.server_uri = agent.identity.mqtt_url;
    options.client_id = mqtt::listener_client_id(id);
    options.topic = mqtt::receive_topic(id);
    options.mqtt_version = config.mqtt_version;
    options.ca_file = agent.identity.ca_file;
    auto get_credentials = [client_id = options.client_id,
                            market = agent.platform.get()]() -> Result<mqtt::Credentials> {
        const auto token = market->fetch_broker_token(client_id);
        if (!token) return fail(token.error().with_context("no broker token from the market"));
        return mqtt::Credentials{token->username, token->password, token->expires_at_ms};
    };
    return std::make_unique<mqtt::Connection>(
        options, clock, get_credentials,
        [&receiver](std::string_view, std::string_view payload) {
            return receiver.on_message(payload);
        },
        [this, &agent](const mqtt::State& state) {
            loop.post([this, &agent, state] { connection_changed(agent, state); });
        });
}

void App::Impl::connection_changed(Agent& agent, const mqtt::State& state) {
    const bool connected_now = state.connected && !agent.connected;
    if (agent.connected != state.connected) {
        log::info(state.connected ? "Connected to the broker" : "Connection to the broker lost",
                  {{"agent", agent.identity.account.agent_id}, {"error", state.last_error}});
    }
    agent.connected = state.connected;
    note_change();
    if (!connected_now) return;
    self_tester.run(agent);
    market_watch.ask(agent);
    catch_up.start(agent);
    dispatcher.kick();
}

std::string App::Impl::link_to(const Approval& approval, const std::string& person) const {
    if (runtime.web_url.empty()) return {};
    std::string link = runtime.web_url + "/a/" + approval.id +
                       "?t=" + approvals::approval_link_token(secrets, approval, person);
    if (person != kOwner) link += "&p=" + person;
    return link;
}

/// Pictures come from the markets of this home and from the hosts that its owner has named.
std::function<Result<std::string>()> App::Impl::picture_source(const std::string& agent_id,
                                                               const std::string& url) {
    const auto agent = agents.find(agent_id);
    if (agent == agents.end()) return {};
    std::vector<std::string> markets;
    for (const auto& [id, one] : agents)
        markets.push_back(one->identity.account.api_base);
    if (!notify::is_picture_source(url, markets, config.notify.picture_hosts)) return {};
    const auto& identity = agent->second->identity;
    return [http = http_clients.at(identity.ca_file).get(), url]() -> Result<std::string> {
        const auto response =
            http->send({.url = url, .answer_bytes_max = notify::kPictureBytesMax});
        if (!response) return fail(response.error());
        if (response->status != 200) return fail(ErrorCode::NotFound, "no picture");
        return response->body;
    };
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
                return notify::Secrets{
                    approvals::approval_code(secrets, approval, person), link_to(approval, person),
                    [this, approval, person](AnswerKind choice) {
                        return approvals::approval_button_token(secrets, approval, person, choice);
                    }};
            },
        .pin_code_of =
            [this](const std::string& nonce, const std::string& person) {
                return approvals::pin_code(secrets, nonce, person);
            },
        .attempted = {},
        .page_url = [this] { return runtime.web_url; },
        .fetch_of = [this](const std::string& agent_id,
                           const std::string& url) { return picture_source(agent_id, url); },
        .language = config.language,
        .people = config.approval.people};
}

/// The decider is built later, but before anything is asked of the stages.
stages::Exchange::Environment App::Impl::stages_environment() {
    return {.clock = clock,
            .loop = loop,
            .writer = writer,
            .reader = *reader,
            .call_after =
                [this](std::chrono::milliseconds delay, std::function<void()> task) {
                    loop.call_after(delay, std::move(task));
                },
            .options = config.stages,
            .policy = config.approval,
            .language = config.approval.language,
            .drafter = language_model.get(),
            .snapshot = [this](const InboxMessage& message) -> Result<decide::Input> {
                const auto agent = agents.find(message.agent_id);
                if (agent != agents.end())
                    return pipeline::take_snapshot(context, *agent->second, message);
                return fail(ErrorCode::NotFound, "no agent " + message.agent_id + " is served");
            },
            .effects_of =
                [this](const Task& task, const InboxMessage& message, const decide::Input& input,
                       decide::Decision decision) {
                    return decider.effects_of(task, message, input, std::move(decision));
                },
            .on_effects =
                [this](const pipeline::Effects& effects,
                       const std::vector<store::OutboxPlace>& places) {
                    after_decision(effects, places);
                }};
}

/// One at a time, since it runs on the store writer only.
Result<void> App::Impl::save_pin(const std::string& person, const std::string& hash) {
    auto hashes = pins.hashes();
    hashes[person] = hash;
    platform::HumanIdentity human{{}, secrets.link_key, hashes};
    const std::string owner = owner_of(config.approval.people);
    human.pin_hash = hashes[owner];
    human.people.erase(owner);
    A2H_TRY(platform::replace_human(human_file, human));
    pins.set(person, hash);
    return {};
}

Result<void> App::Impl::serve(const control::Home& home) {
    runtime.agents_dir = home.agents_dir();
    human_file = home.human_file();
    auto made = notify::make_channels(config.notify);
    if (!made) return fail(made.error());
    channels = std::move(*made);
    runtime.channels = &channels;
    runtime.current_rules = &current_rules;
    runtime.model = language_model.get();
    runtime.press = [this](const notify::Click& click) { return buttons.press(click); };
    notifications =
        std::make_unique<notify::NotificationQueue>(notification_environment(), channels);
    auto page = web::WebServer::start(config, secrets, runtime, home.database_file());
    if (page) {
        web_server = std::move(*page);
        runtime.web_url = web_server->url();
    } else {
        log::warning("The approval page is not served: " + page.error().message +
                     "; answer with `a2h approve` or set web.listen in config.toml");
    }
    auto control = control::Server::start(
        home.socket_file(), [this](std::string line, control::Server::Respond respond) {
            loop.post([this, line = std::move(line), respond = std::move(respond)] {
                operations::dispatch_line(runtime, line, respond);
            });
        });
    if (!control) return fail(control.error());
    control_server = std::move(*control);
    return {};
}

void App::Impl::begin_work() {
    beat();
    listings.start();
    executor.resume();
    answers.start_clocks();
    dispatcher.start_expiry();
    self_tester.start();
    reporter.start();
    stages.resume();
    decider.kick();
    dispatcher.kick();
    notifications->wake();
    listeners = std::make_unique<notify::Listeners>(channels, runtime.press);
    for (auto& [id, agent] : agents)
        agent->connection->start();
}

void App::Impl::note_change() const {
    if (changes) changes->note_change();
}

void App::Impl::beat() {
    if (!changes) return;
    changes->beat();
    loop.call_after(std::chrono::milliseconds(control::ChangePage::kBeatMs), [this] { beat(); });
}

App::App(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
App::~App() = default;

Result<std::unique_ptr<App>> App::start(const control::Home& home) {
    auto opened = open_all(home);
    if (!opened) return fail(opened.error());
    auto impl = std::make_unique<Impl>(std::move(*opened));
    A2H_TRY(impl->serve(home));
    return std::unique_ptr<App>(new App(std::move(impl)));
}

void App::run() {
    impl_->begin_work();
    log::info("a2hd is ready", {{"agents", static_cast<long long>(impl_->agents.size())},
                                {"page", impl_->runtime.web_url}});
    impl_->loop.run();
}

}  // namespace a2h
