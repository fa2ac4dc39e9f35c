#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/domain/local_agent.h"
#include "core/http/client.h"
#include "core/mqtt/connection.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/logins.h"
#include "daemon/card/reader.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/health/hang.h"
#include "daemon/health/listening.h"
#include "daemon/health/watchdog.h"
#include "daemon/kernel/change_notice.h"
#include "daemon/kernel/kernel.h"
#include "daemon/leading/leaders.h"
#include "daemon/mail/catch_up.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/mail/market_watch.h"
#include "daemon/mail/receiver.h"

namespace a2h::mailbox {

/// The HTTP clients of this process, one for each certificate authority.
///
/// Thread:  the loop; the clients may be used from any thread as long as this object lives.
class HttpClients {
  public:
    explicit HttpClients(http::Transfers& transfers) : transfers_(transfers) {}
    /// An empty `ca_file` means the system's authorities.
    http::Client& trusting(const std::string& ca_file);

  private:
    http::Transfers& transfers_;
    std::map<std::string, std::unique_ptr<http::Client>> clients_;  ///< keyed by authority
};

/// Gives each agent of this home its market client, its receiver and its broker connection, and
/// notifies other parts when a connection is made or lost.
///
/// Thread:  the loop.
class Mailboxes final : public agents::MailboxKeeper, public agents::OwnMailboxes {
  public:
    /// The parts that a mailbox uses; all must outlive the connections.
    struct Parts {
        const kernel::Kernel& kernel;
        const Current<Config>& config;
        kernel::Metrics& metrics;
        Agents& agents;
        HttpClients& http;
        mail::KeyRing& keys;
        mail::Arrivals& arrivals;
        mail::CatchUp& catch_up;
        mail::MarketWatch& market;
        mail::Dispatcher& dispatcher;
        health::Listening& listening;
        leading::Leaders& leaders;
        health::StepMark& receiving;  ///< set while Paho's thread runs our code
        const health::HangFault& hang;
        const ChangeNotice& changes;
    };
    /// With `opens` false no connection is ever opened.
    Mailboxes(const Parts& parts, bool opens) : parts_(parts), opens_(opens) {}

    /// Creates the mailbox of one of the owner's agents. It stays closed until `open`. The agents
    /// are added in the order in which the home took them in.
    void add(const platform::AgentIdentity& identity) override;
    void open(const std::string& agent_id) override;
    /// Opens the mailboxes of all agents of the owner.
    void open_all();

    /// Creates and opens the mailbox of an agent that this home created. Call it again once the
    /// agent is registered at the market; before that it has no connection.
    void start_local(const LocalAgent& local) override;
    /// Closes the mailbox permanently, after a delay in which its last messages can be sent.
    void stop_local(const std::string& agent_id) override;
    /// A call that registers the agent at its parent's market and returns its agent key. It blocks
    /// and may run on a worker.
    std::function<Result<std::string>()> registration_of(const LocalAgent& local) override;

    /// The agents that act at the market, for the cards of their questions.
    const card::ActingAgents& acting_agents() const { return acting_agents_; }

    /// Reports the number of connected mailboxes to the service manager; `systemctl status` shows
    /// it.
    void notify_manager() const;

  private:
    void equip(Agent& agent);
    const std::string& root_of(const Agent& agent) const;
    mqtt::Options options_for(Agent& agent) const;
    std::unique_ptr<mqtt::Connection> connect(Agent& agent, platform::Client& client,
                                              Intake& intake);
    void connection_changed(Agent& agent, const mqtt::State& state);
    void remember_session(Agent& agent);
    void note_lost_session(Agent& agent);

    const Parts parts_;
    const bool opens_;
    std::size_t own_ = 0;  ///< agents of the owner that were added
    card::ActingAgents acting_agents_;
};

}  // namespace a2h::mailbox
