#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/assignment.h"
#include "core/domain/local_agent.h"
#include "core/domain/message.h"
#include "core/domain/task_brief.h"
#include "core/store/database.h"
#include "daemon/agents/residents.h"
#include "daemon/agents/stops.h"
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"

namespace a2h::agents {

/// The operation by which an agent creates another one below itself.
constexpr std::string_view kSpawnAction = "agent.spawn";

/// Provides the agents of a home with mailboxes.
///
/// Thread:  the loop.
class MailboxKeeper {
  public:
    /// Creates the agent's receiver and, if it is registered, its connection.
    virtual void start_local(const LocalAgent& local) = 0;
    /// Ends what `start_local` gave.
    virtual void stop_local(const std::string& agent_id) = 0;
    /// A call that registers the agent at the market of this home and returns the agent key. It
    /// blocks and must run on a worker.
    virtual std::function<Result<std::string>()> registration_of(const LocalAgent& local) = 0;

  protected:
    ~MailboxKeeper() = default;
};

/// Creates and stops the agents that agents of this home have created: a tree below each of the
/// owner's own agents. Everything is written to the database before it is reported, and active
/// agents are started again at the next start.
///
/// Thread:  the loop.
class LocalAgents {
  public:
    /// More in one home are refused.
    static constexpr std::size_t kAgentsMax = 5'000;
    static constexpr int kDepthMax = 16;

    LocalAgents(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
                Residents& residents, MailboxKeeper& mailboxes,
                const outcome::OwnMailTable& own_mail, const outcome::Commits& commits);
    ~LocalAgents();

    /// Reads the agents from the database, starts the active ones and greets the owner's own.
    ///
    /// Errors:  those of the database.
    Result<void> load();
    /// Makes one of the owner's own agents and the human contacts of each other.
    void greet(const std::string& agent_id);

    struct Spawned {
        LocalAgent agent;
        std::string task_id;
    };
    /// Further changes in the transaction of `spawn`.
    using Along = std::function<Result<void>(store::Database&, const Spawned&)>;

    /// Creates an agent with a task below `parent_id` in one transaction: its identity, a contact
    /// for each in the other's registry, the collaborators of the brief as contacts, the mandate
    /// that the brief names, and the task with its assignment message. `done` runs on the loop.
    /// `mandate_json` is the requested share as `mandates::cut_share` reads it; empty: none.
    ///
    /// `along` is written in the same transaction. Only a person can give a share: the caller has
    /// their yes.
    ///
    /// Errors:  those of `check_spawn`; InvalidArgument for a brief that does not fit into a
    ///          message; PermissionDenied `mandate_exceeded` if the parent may not spend that much
    ///          itself.
    void spawn(const std::string& parent_id, const std::string& role_id, const TaskBrief& brief,
               const std::string& mandate_json, std::function<void(Result<Spawned>)> done,
               Along along = {});
    /// Checks that an agent with this role can be created below `parent_id`.
    ///
    /// Errors:  InvalidArgument for a role that is not a short word; ResourceExhausted; NotFound;
    ///          Conflict if the parent is stopped.
    Result<void> check_spawn(const std::string& parent_id, const std::string& role_id) const;

    /// Stops an agent and all agents below it. Their open tasks are cancelled and the givers are
    /// notified. `done` gets the number of stopped agents.
    ///
    /// Errors:  NotFound; InvalidArgument for one of the owner's own agents.
    void stop(const std::string& agent_id, StoppedBy by, std::function<void(Result<int>)> done);

    /// Registers it at the market, so that agents of other homes can reach it.
    ///
    /// Errors:  those of the market; Conflict if its id is taken there.
    void register_at_market(const std::string& agent_id, std::function<void(Result<void>)> done);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Carries out `agent.spawn` after a yes, for an agent that gets a share of a mandate.
consent::Carrier carrier_by(LocalAgents& agents);

}  // namespace a2h::agents
