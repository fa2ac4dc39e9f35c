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
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/house/residents.h"
#include "daemon/kernel/services.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"

namespace a2h::house {

/// The operation by which an agent makes another one below it.
constexpr std::string_view kSpawnAction = "agent.spawn";

/// Gives the agents of a house their mailboxes. Thread: the loop.
class MailboxKeeper {
  public:
    /// Gives an agent its receiver and, when it is registered, its connection.
    virtual void start_local(const LocalAgent& local) = 0;
    /// Ends what `start_local` gave.
    virtual void stop_local(const std::string& agent_id) = 0;
    /// A call that registers the agent at the market of its house and returns the agent key that it
    /// got there. It blocks and runs on a worker.
    virtual std::function<Result<std::string>()> registration_of(const LocalAgent& local) = 0;

  protected:
    ~MailboxKeeper() = default;
};

/// Makes and stops the agents that agents of this house made: a tree below each of the owner's own.
/// Everything is in the database before it is told; at start the active ones are there again.
///
/// Thread: the loop.
class House {
  public:
    /// More in one house are refused.
    static constexpr std::size_t kAgentsMax = 5'000;
    static constexpr int kDepthMax = 16;

    House(const kernel::Services& kernel, const Current<Config>& config, Agents& agents,
          Residents& residents, MailboxKeeper& mailboxes, const outcome::OwnMailTable& own_mail,
          const outcome::Commits& commits);
    ~House();

    /// Reads the agents of the database and starts the active ones; greets the owner's own.
    /// Errors: the database's.
    Result<void> load();
    /// One of the owner's own agents and the human know each other from now on.
    void greet(const std::string& agent_id);

    struct Spawned {
        LocalAgent agent;
        std::string task_id;
    };
    /// Makes an agent below `parent_id` with a task, in one transaction: its identity, the contact
    /// of each in the other's registry, the collaborators of the brief as preset contacts, the
    /// mandate that the brief names, and the task with its assignment message. `done` on the loop.
    /// `mandate_json` is what it may spend, as `mandates::cut_share` reads it; empty: nothing.
    ///
    /// `along` is written with it. A share is a person's to give: the caller has their yes.
    ///
    /// Errors: those of `check_spawn`; InvalidArgument for a brief that fits into no message;
    /// PermissionDenied `mandate_exceeded` when the parent may not spend that itself.
    using Along = std::function<Result<void>(store::Database&, const Spawned&)>;
    void spawn(const std::string& parent_id, const std::string& role_id, const TaskBrief& brief,
               const std::string& mandate_json, std::function<void(Result<Spawned>)> done,
               Along along = {});
    /// Whether an agent with that role can be made below `parent_id`. Errors: InvalidArgument for a
    /// role that is no short word; ResourceExhausted; NotFound, or Conflict when the parent is
    /// stopped.
    Result<void> check_spawn(const std::string& parent_id, const std::string& role_id) const;

    /// Stops an agent and all below it; their open tasks end as cancelled and their givers are
    /// told. `done` gets how many were stopped. Errors: NotFound; InvalidArgument for one of the
    /// owner's own.
    void stop(const std::string& agent_id, std::function<void(Result<int>)> done);

    /// Makes it known to the market, so that agents elsewhere reach it. Errors: those of the
    /// market; Conflict when its id is taken there.
    void register_at_market(const std::string& agent_id, std::function<void(Result<void>)> done);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Carries out `agent.spawn` after a yes, for an agent that gets a share of a mandate.
consent::Carrier carrier_by(House& house);

}  // namespace a2h::house
