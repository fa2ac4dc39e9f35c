// The agents of a2hd: their receivers and connections.

#include <chrono>
#include <memory>
#include <utility>

#include "core/base/log.h"
#include "core/mqtt/connection.h"
#include "core/store/setting_store.h"
#include "daemon/app/app_parts.h"

namespace a2h {
namespace {

/// The broker where a session of the agent was made.
constexpr std::string_view kSessionSetting = "mqtt.session";

}  // namespace

http::Client& App::Impl::http_for(const std::string& ca_file) {
    auto& http = http_clients[ca_file];
    if (!http) {
        http = std::make_unique<http::Client>(http::Client::Options{
            .ca_file = ca_file, .user_agent = "a2hd/" A2H_VERSION, .transfers = &transfers});
    }
    return *http;
}

std::unique_ptr<pipeline::Receiver> App::Impl::make_receiver(Agent& agent) {
    const platform::Account& account = agent.identity.account;
    return std::make_unique<pipeline::Receiver>(
        account.agent_id, account.keys, clock, writer, loop, key_ring, metrics,
        pipeline::Receiver::Events{
            .expected = [this](const InboxMessage& message,
                               pipeline::EarlyDecision* early) { decider.expect(message, early); },
            .accepted = [this](const InboxMessage& message) { decider.accept(message); },
            .decided =
                [this](const InboxMessage& message, const pipeline::EarlyDecision& early) {
                    decider.decided(message, early);
                },
            .withdrawn =
                [this](const InboxMessage& message, const pipeline::EarlyDecision& early) {
                    decider.withdraw(message, early);
                },
            .self_test_returned =
                [this, raw = &agent](const std::string& message_id) {
                    listening.returned(*raw, message_id);
                }});
}

void App::Impl::build_agents(const std::vector<platform::AgentIdentity>& identities) {
    for (const auto& identity : identities) {
        auto agent = std::make_unique<Agent>();
        agent->identity = identity;
        agent->platform =
            std::make_unique<platform::Client>(http_for(identity.ca_file), clock, identity.account);
        const std::string& id = identity.account.agent_id;
        receivers[id] = make_receiver(*agent);
        agent->connection = connect(*agent, *receivers[id]);
        market_watch.load(*agent);
        agents[id] = std::move(agent);
    }
}

void App::Impl::add_agent(const platform::AgentIdentity& identity) {
    build_agents({identity});
    Agent& agent = *agents.at(identity.account.agent_id);
    house.greet(identity.account.agent_id);
    listings.refresh(agent);
    open_connection(agent);
}

/// The one place where mail begins to come in.
void App::Impl::open_connection(Agent& agent) {
    if (!serves) return;
    if (agent.parent_id.empty()) leaders.watch(agent);
    agent.connection->start();
}

/// It lives where its parent does. Called again once it is registered.
void App::Impl::start_local(const LocalAgent& local) {
    auto& agent = agents[local.agent_id];
    if (!agent) agent = std::make_unique<Agent>();
    const platform::AgentIdentity& parent = agents.at(local.parent_id)->identity;
    agent->parent_id = local.parent_id;
    agent->is_registered = local.is_registered;
    agent->identity = {.name = local.role_id,
                       .account = {.api_base = parent.account.api_base,
                                   .agent_id = local.agent_id,
                                   .keys = {.agent_key = local.agent_key,
                                            .key_pair = {.key_id = local.key_id,
                                                         .public_key = local.public_key,
                                                         .secret_key = local.secret_key}}},
                       .mqtt_url = parent.mqtt_url,
                       .ca_file = parent.ca_file};
    if (!local.is_registered) return;
    agent->platform = std::make_unique<platform::Client>(http_for(parent.ca_file), clock,
                                                         agent->identity.account);
    receivers[local.agent_id] = make_receiver(*agent);
    agent->connection = connect(*agent, *receivers[local.agent_id]);
    market_watch.load(*agent);
    open_connection(*agent);
}

/// What it still has to say, to those elsewhere whose tasks it had, gets a while. A connection may
/// take seconds to end, so that is left to a worker.
void App::Impl::stop_local(const std::string& agent_id) {
    constexpr std::chrono::seconds kLastWords{10};
    agents.at(agent_id)->is_stopped = true;
    loop.call_after(kLastWords, [this, agent_id] {
        Agent& agent = *agents.at(agent_id);
        if (!agent.connection) return;
        agent.connected = false;
        auto ended =
            std::make_shared<std::unique_ptr<mqtt::Connection>>(std::move(agent.connection));
        if (workers->submit([ended] { ended->reset(); })) return;
        agent.connection = std::move(*ended);
        stop_local(agent_id);  // too much waits for workers
    });
}

std::function<Result<std::string>()> App::Impl::registration_of(const LocalAgent& local) {
    const platform::AgentIdentity& identity = agents.at(local.agent_id)->identity;
    return [this, &http = http_for(identity.ca_file), base = identity.account.api_base,
            local]() -> Result<std::string> {
        A2H_ASSIGN_OR_RETURN(
            const auto registered,
            platform::Client::register_agent(http, clock, base, local.agent_id,
                                             {local.key_id, local.public_key, local.secret_key},
                                             local.agent_id));
        if (registered.agent_id == local.agent_id) return registered.agent_key;
        return fail(ErrorCode::Unsupported, "the market gave the agent another id, " +
                                                registered.agent_id +
                                                "; it does not take agents that have one");
    };
}

/// The owner's own agent that made it, or that its maker's maker made: they share a lease.
const std::string& App::Impl::root_of(const Agent& agent) const {
    const Agent* root = &agent;
    while (!root->parent_id.empty())
        root = agents.at(root->parent_id).get();
    return root->identity.account.agent_id;
}

std::unique_ptr<mqtt::Connection> App::Impl::connect(Agent& agent, pipeline::Receiver& receiver) {
    const std::string& id = agent.identity.account.agent_id;
    mqtt::Options options;
    options.server_uri = agent.identity.mqtt_url;
    options.client_id = mqtt::listener_client_id(id);
    options.topic = mqtt::receive_topic(id);
    options.mqtt_version = config->mqtt_version;
    options.ca_file = agent.identity.ca_file;
    const auto session_at = store::get_setting(*reader, id, kSessionSetting);
    agent.session_at = session_at ? session_at->value_or("") : "";
    options.had_session = agent.session_at == options.server_uri;
    const auto lost_at_ms = store::get_number(*reader, id, pipeline::CatchUp::kLostSetting);
    agent.history.lost_at_ms = lost_at_ms ? *lost_at_ms : 0;
    agent.history.is_owed = agent.history.lost_at_ms != 0;
    options.may_act = [gate = leaders.gate_of(root_of(agent))] { return gate->may_act(); };
    auto get_credentials = [client_id = options.client_id,
                            market = agent.platform.get()]() -> Result<mqtt::Credentials> {
        const auto token = market->fetch_broker_token(client_id);
        if (!token) return fail(token.error().with_context("no broker token from the market"));
        return mqtt::Credentials{token->username, token->password, token->expires_at_ms};
    };
    return std::make_unique<mqtt::Connection>(
        options, clock, get_credentials,
        [this, &receiver](std::string_view, std::string_view payload) {
            const service::StepMark::Stay stay(receiving);
            hang.pass("receive");
            return receiver.on_message(payload);
        },
        [this, &agent](const mqtt::State& state) {
            loop.post([this, &agent, state] { connection_changed(agent, state); });
        });
}

/// So that the first connection of the next process notices when it is gone.
void App::Impl::remember_session(Agent& agent) {
    const std::string& broker = agent.identity.mqtt_url;
    if (agent.session_at == broker) return;
    context.write(
        store::Writer::Priority::Background,
        [id = agent.identity.account.agent_id, broker](store::Database& db) {
            return store::put_setting(db, id, kSessionSetting, broker);
        },
        [&agent, broker](const Result<void>& written) {
            if (written) agent.session_at = broker;
        });
}

/// The broker has a new session by now, so only this tells the next process of the old one.
void App::Impl::note_lost_session(Agent& agent) {
    agent.history.is_owed = true;
    agent.history.fetched_since_loss = 0;
    agent.history.lost_at_ms = clock.now_ms();
    context.write(
        store::Writer::Priority::Urgent,
        [id = agent.identity.account.agent_id,
         at_ms = agent.history.lost_at_ms](store::Database& db) {
            return store::put_number(db, id, pipeline::CatchUp::kLostSetting, at_ms);
        },
        [id = agent.identity.account.agent_id](const Result<void>& written) {
            if (written) return;
            log::error("That the broker has lost the session could not be stored",
                       {{"agent", id}, {"error", written.error().message}});
        });
}

void App::Impl::connection_changed(Agent& agent, const mqtt::State& state) {
    const bool connected_now = state.connected && !agent.connected;
    const bool lost_now = !state.connected && agent.connected;
    if (agent.connected != state.connected) {
        log::info(state.connected ? "Connected to the broker" : "Connection to the broker lost",
                  {{"agent", agent.identity.account.agent_id}, {"error", state.last_error}});
    }
    agent.connected = state.connected;
    note_change();
    tell_manager();
    if (connected_now && state.connects > 1) metrics.reconnects.add();
    if (lost_now) listening.disconnected(agent);
    if (!connected_now) return;
    remember_session(agent);
    if (std::exchange(agent.history.sessions_lost, state.session_lost) != state.session_lost) {
        note_lost_session(agent);
    }
    listening.connected(agent);
    market_watch.ask(agent);
    catch_up.start(agent);
    dispatcher.kick();
}

}  // namespace a2h
