#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/platform/identity.h"
#include "core/store/login_store.h"
#include "daemon/agents/local_agents.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"

namespace a2h::agents {

/// The operation that waits for a login. A yes to its question takes the agent of the login into
/// this home.
constexpr std::string_view kTakeInAction = "auth.poll";

/// Provides the owner's own agents with mailboxes.
///
/// Thread:  the loop.
class OwnMailboxes {
  public:
    /// Creates the mailbox of an agent whose identity is stored. It stays closed until `open`.
    virtual void add(const platform::AgentIdentity& identity) = 0;
    /// Starts to receive and send.
    virtual void open(const std::string& agent_id) = 0;

  protected:
    ~OwnMailboxes() = default;
};

/// Takes the agents of finished logins into this home. Whoever opens the address of a
/// login chooses the agent, so only a person may say whether it belongs to the owner.
///
/// Thread:  the loop.
class Logins {
  public:
    /// How long a login may wait for the browser.
    static constexpr UnixMs kLifeMs = 60LL * 60 * 1000;

    /// `joined` is called with each agent that was taken in, before its mailbox is opened.
    Logins(const kernel::Kernel& kernel, Agents& agents, std::filesystem::path agents_dir,
           OwnMailboxes& mailboxes, LocalAgents& local_agents, std::function<void(Agent&)> joined);

    /// The login of this home with this code, if it is still of use: its account is known, or it
    /// may still be confirmed.
    ///
    /// Errors:  NotFound.
    Result<store::BegunLogin> find(std::string_view code) const;

    /// The agent of a login is one of this home's own agents.
    bool is_taken_in(const std::string& account_id) const;

    /// Carries out an owner's yes: stores the identity and starts the agent. `use` is written in
    /// the transaction that records it.
    ///
    /// Errors:  Conflict if the key is no longer kept, or if the agent was stopped a moment ago;
    ///          those of the disk.
    void take_in(const std::string& asking_id, const std::string& account_id, consent::UseYes use,
                 std::function<void(const Result<void>&)> done);

  private:
    void started(const platform::AgentIdentity& identity);
    void record(const std::optional<platform::AgentIdentity>& identity,
                const std::string& account_id, consent::UseYes use,
                std::function<void(const Result<void>&)> done);

    const kernel::Kernel& kernel_;
    Agents& agents_;
    const std::filesystem::path agents_dir_;
    OwnMailboxes& mailboxes_;
    LocalAgents& local_agents_;
    const std::function<void(Agent&)> joined_;
};

/// Carries out `kTakeInAction` after a yes.
consent::Carrier carrier_by(Logins& logins);

/// The question whether the agent of `login` becomes one of the owner's own.
consent::Ask ask_about_login(const store::BegunLogin& login, i18n::Language language);

/// Registers what happens to a login whose question ended without a yes. Call before other threads
/// start.
void register_login_actions();

}  // namespace a2h::agents
