#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/domain/local_agent.h"
#include "core/http/client.h"
#include "core/mqtt/connection.h"
#include "daemon/context/agent.h"
#include "daemon/context/context.h"
#include "daemon/health/hang.h"
#include "daemon/health/listening.h"
#include "daemon/health/watchdog.h"
#include "daemon/leading/leaders.h"
#include "daemon/mail/catch_up.h"
#include "daemon/mail/decider.h"
#include "daemon/mail/market_watch.h"
#include "daemon/mail/receiver.h"

namespace a2h::mailbox {

/// The HTTP clients of this process, one for each certificate authority. Thread: the loop; the
/// clients themselves may be used from anywhere, for as long as this object lives.
class HttpClients {
  public:
    explicit HttpClients(http::Transfers& transfers) : transfers_(transfers) {}
    /// `ca_file` is empty for the system's authorities.
    http::Client& trusting(const std::string& ca_file);

  private:
    http::Transfers& transfers_;
    std::map<std::string, std::unique_ptr<http::Client>> clients_;  ///< by authority
};

/// Gives each agent of this home its market client, its receiver and its broker connection, and
/// tells the other rooms when a connection comes or goes.
///
/// Thread: the loop.
class Mailboxes {
  public:
    /// The objects that a mailbox works with; all of them outlive the connections.
    struct Parts {
        const Context& context;
        Agents& agents;
        HttpClients& http;
        mail::KeyRing& keys;
        mail::Decider& decider;
        mail::CatchUp& catch_up;
        mail::MarketWatch& market;
        health::Listening& listening;
        leading::Leaders& leaders;
        health::StepMark& receiving;  ///< set while Paho's thread is in our code
        const health::HangFault& hang;
        std::function<void()> changed;    ///< after a connection has come or gone
        std::function<void()> connected;  ///< what waits for a connection may be sent
    };
    /// With `opens` false no connection is ever opened.
    Mailboxes(Parts parts, bool opens);

    /// Makes the mailbox of one of the owner's agents; it stays closed until `open`.
    void add(const platform::AgentIdentity& identity);
    /// Begins to receive and send.
    void open(const std::string& agent_id);
    /// Opens the mailboxes of all agents of the owner.
    void open_all();

    /// Makes and opens the mailbox of an agent that this home made. Call it again once the agent is
    /// registered at the market: before that it has no connection.
    void start_local(const LocalAgent& local);
    /// Ends the mailbox for good, after a while in which its last messages can leave.
    void stop_local(const std::string& agent_id);
    /// A call that registers the agent at its parent's market and returns its agent key. It blocks
    /// and may run on a worker.
    std::function<Result<std::string>()> registration_of(const LocalAgent& local);

    /// Tells the service manager how many mailboxes are connected; `systemctl status` shows it.
    void tell_manager() const;

    mail::Receiver& receiver_of(const std::string& agent_id) { return *receivers_.at(agent_id); }

  private:
    std::unique_ptr<mail::Receiver> make_receiver(Agent& agent);
    void equip(Agent& agent);
    const std::string& root_of(const Agent& agent) const;
    mqtt::Options options_for(Agent& agent) const;
    std::unique_ptr<mqtt::Connection> connect(Agent& agent, mail::Receiver& receiver);
    void connection_changed(Agent& agent, const mqtt::State& state);
    void remember_session(Agent& agent);
    void note_lost_session(Agent& agent);

    const Parts parts_;
    const bool opens_;
    std::map<std::string, std::unique_ptr<mail::Receiver>> receivers_;
};

}  // namespace a2h::mailbox
