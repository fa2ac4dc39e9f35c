#include "daemon/mailbox/mailboxes.h"

#include <chrono>
#include <utility>

#include "core/base/log.h"
#include "core/store/setting_store.h"
#include "core/systemd/notify.h"
#include "daemon/mail/other_instance.h"
#include "daemon/mail/way.h"

namespace a2h::mailbox {
namespace {

/// The broker that has held a session of the agent.
constexpr std::string_view kSessionSetting = "mqtt.session";
/// How long a stopped agent may still send.
constexpr std::chrono::seconds kStopDelay{10};

platform::AgentIdentity identity_of(const LocalAgent& local,
                                    const platform::AgentIdentity& parent) {
    return {.name = local.role_id,
            .account = {.api_base = parent.account.api_base,
                        .agent_id = local.agent_id,
                        .keys = {.agent_key = local.agent_key,
                                 .key_pair = {.key_id = local.key_id,
                                              .public_key = local.public_key,
                                              .secret_key = local.secret_key}}},
            .mqtt_url = parent.mqtt_url,
            .ca_file = parent.ca_file};
}

}  // namespace

http::Client& HttpClients::trusting(const std::string& ca_file) {
    auto& client = clients_[ca_file];
    if (!client) {
        client = std::make_unique<http::Client>(http::Client::Options{
            .ca_file = ca_file, .user_agent = "a2hd/" A2H_VERSION, .transfers = &transfers_});
    }
    return *client;
}

/// Creates what an agent with an account at the market needs.
void Mailboxes::equip(Agent& agent) {
    const platform::Account& account = agent.identity.account;
    const kernel::Kernel& kernel = parts_.kernel;
    agent.connection.reset();  // it uses objects that are replaced below
    agent.stays_offline = !opens_;
    auto client = std::make_unique<platform::Client>(parts_.http.trusting(agent.identity.ca_file),
                                                     kernel.clock, account);
    auto receiver = std::make_unique<mail::Receiver>(
        account.agent_id, account.keys, kernel.clock, kernel.writer, kernel.loop, parts_.keys,
        parts_.metrics, parts_.arrivals, parts_.listening);
    agent.connection = connect(agent, *client, *receiver);
    agent.platform = std::move(client);
    agent.intake = std::move(receiver);
    parts_.market.load(agent);
}

void Mailboxes::add(const platform::AgentIdentity& identity) {
    auto agent = std::make_unique<Agent>(identity, own_++);
    equip(*agent);
    parts_.agents[identity.account.agent_id] = std::move(agent);
    acting_agents_.add(identity.account.agent_id, identity.name);
}

void Mailboxes::open(const std::string& agent_id) {
    if (!opens_) return;
    Agent& agent = *parts_.agents.at(agent_id);
    if (agent.parent_id.empty()) parts_.leaders.watch(agent);
    agent.connection->start();
}

/// Agents that this home created were opened when they were loaded.
void Mailboxes::open_all() {
    for (const auto& [id, agent] : parts_.agents)
        if (agent->parent_id.empty()) open(id);
}

void Mailboxes::start_local(const LocalAgent& local) {
    auto& agent = parts_.agents[local.agent_id];
    const auto& parent = parts_.agents.at(local.parent_id)->identity;
    if (!agent) agent = std::make_unique<Agent>(identity_of(local, parent), local.parent_id);
    agent->identity = identity_of(local, parent);
    agent->is_registered = local.is_registered;
    if (!local.is_registered) return;
    acting_agents_.add(local.agent_id, local.role_id);
    equip(*agent);
    open(local.agent_id);
}

/// Closing a connection may take seconds, so a worker does it.
void Mailboxes::stop_local(const std::string& agent_id) {
    parts_.agents.at(agent_id)->is_stopped = true;
    acting_agents_.remove(agent_id);
    parts_.kernel.loop.call_after(kStopDelay, [this, agent_id] {
        Agent& agent = *parts_.agents.at(agent_id);
        if (!agent.connection) return;
        agent.connected = false;
        auto ended =
            std::make_shared<std::unique_ptr<mqtt::Connection>>(std::move(agent.connection));
        if (parts_.kernel.workers.submit([ended] { ended->reset(); })) return;
        agent.connection = std::move(*ended);
        stop_local(agent_id);  // the workers' queue is full
    });
}

std::function<Result<std::string>()> Mailboxes::registration_of(const LocalAgent& local) {
    const platform::AgentIdentity& identity = parts_.agents.at(local.agent_id)->identity;
    return [&http = parts_.http.trusting(identity.ca_file), &clock = parts_.kernel.clock,
            base = identity.account.api_base, local]() -> Result<std::string> {
        A2H_ASSIGN_OR_RETURN(
            const auto registered,
            platform::Client::register_agent(http, clock, base, local.agent_id,
                                             {local.key_id, local.public_key, local.secret_key},
                                             local.agent_id));
        if (registered.agent_id == local.agent_id) return registered.agent_key;
        return fail(ErrorCode::Unsupported,
                    "the market gave the agent another id, " + registered.agent_id +
                        "; it does not accept agents that already have one");
    };
}

/// The owner's agent at the top of the tree; all agents below it share its lease.
const std::string& Mailboxes::root_of(const Agent& agent) const {
    const Agent* root = &agent;
    while (!root->parent_id.empty())
        root = parts_.agents.at(root->parent_id).get();
    return root->identity.account.agent_id;
}

mqtt::Options Mailboxes::options_for(Agent& agent) const {
    const std::string& id = agent.identity.account.agent_id;
    mqtt::Options options;
    options.server_uri = agent.identity.mqtt_url;
    options.client_id = mqtt::listener_client_id(id);
    options.topic = mqtt::receive_topic(id);
    options.mqtt_version = parts_.config->mqtt_version;
    options.ca_file = agent.identity.ca_file;
    options.had_session = agent.session_at == options.server_uri;
    options.may_act = [gate = parts_.leaders.gate_of(root_of(agent))] { return gate->may_act(); };
    return options;
}

std::unique_ptr<mqtt::Connection> Mailboxes::connect(Agent& agent, platform::Client& client,
                                                     Intake& intake) {
    const std::string& id = agent.identity.account.agent_id;
    store::Database& reader = parts_.kernel.reader;
    const auto session_at = store::get_setting(reader, id, kSessionSetting);
    agent.session_at = session_at ? session_at->value_or("") : "";
    const auto lost_at_ms = store::get_number(reader, id, mail::CatchUp::kLostSetting);
    agent.history.lost_at_ms = lost_at_ms ? *lost_at_ms : 0;
    agent.history.is_owed = agent.history.lost_at_ms != 0;
    agent.history.was_read = mail::is_history_read(reader, id).value_or(false);
    const mqtt::Options options = options_for(agent);
    auto get_credentials = [client_id = options.client_id, &client]() -> Result<mqtt::Credentials> {
        const auto token = client.fetch_broker_token(client_id);
        if (!token) return fail(token.error().with_context("no broker token from the market"));
        return mqtt::Credentials{token->username, token->password, token->expires_at_ms};
    };
    return std::make_unique<mqtt::Connection>(
        options, parts_.kernel.clock, get_credentials,
        [this, &intake](std::string_view, std::string_view payload) {
            const health::StepMark::Stay stay(parts_.receiving);
            parts_.hang.pass("receive");
            return mail::Way::take_in(intake, payload);
        },
        [this, &agent](const mqtt::State& state) {
            parts_.kernel.loop.post([this, &agent, state] { connection_changed(agent, state); });
        });
}

void Mailboxes::notify_manager() const {
    int all = 0;
    int connected = 0;
    for (const auto& [id, agent] : parts_.agents) {
        if (!agent->connection) continue;
        ++all;
        if (agent->connected) ++connected;
    }
    systemd::notify_status(std::to_string(connected) + " of " + std::to_string(all) +
                           " mailboxes connected");
}

/// Allows the first connection of the next process to notice that the session is gone.
void Mailboxes::remember_session(Agent& agent) {
    const std::string& broker = agent.identity.mqtt_url;
    if (agent.session_at == broker) return;
    parts_.kernel.write(
        store::Writer::Priority::Background,
        [id = agent.identity.account.agent_id, broker](store::Database& db) {
            return store::put_setting(db, id, kSessionSetting, broker);
        },
        [&agent, broker](const Result<void>& written) {
            if (written) agent.session_at = broker;
        });
}

/// The broker has a new session by now, so the next process can learn of the loss only from here.
void Mailboxes::note_lost_session(Agent& agent) {
    agent.history.is_owed = true;
    agent.history.fetched_since_loss = 0;
    agent.history.lost_at_ms = parts_.kernel.clock.now_ms();
    parts_.kernel.write(
        store::Writer::Priority::Urgent,
        [id = agent.identity.account.agent_id,
         at_ms = agent.history.lost_at_ms](store::Database& db) {
            return store::put_number(db, id, mail::CatchUp::kLostSetting, at_ms);
        },
        [id = agent.identity.account.agent_id](const Result<void>& written) {
            if (written) return;
            log::error("The loss of a broker session could not be stored",
                       {{"agent", id}, {"error", written.error().message}});
        });
}

void Mailboxes::connection_changed(Agent& agent, const mqtt::State& state) {
    const bool connected_now = state.connected && !agent.connected;
    const bool lost_now = !state.connected && agent.connected;
    if (agent.connected != state.connected) {
        log::info(
            state.connected ? "Connected to the broker" : "The connection to the broker was lost",
            {{"agent", agent.identity.account.agent_id}, {"error", state.last_error}});
    }
    agent.connected = state.connected;
    parts_.changes.note();
    notify_manager();
    if (connected_now && state.connects > 1) parts_.metrics.reconnects.add();
    if (lost_now) parts_.listening.disconnected(agent);
    if (!connected_now) return;
    remember_session(agent);
    agent.history.connections = state.connects;
    if (std::exchange(agent.history.sessions_lost, state.session_lost) != state.session_lost) {
        note_lost_session(agent);
    }
    parts_.listening.connected(agent);
    parts_.market.ask(agent);
    parts_.catch_up.start(agent);
    parts_.dispatcher.search_due();
}

}  // namespace a2h::mailbox
