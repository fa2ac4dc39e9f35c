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
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/context/context.h"

namespace a2h::house {

/// The operation by which an agent makes another one below it.
constexpr std::string_view kSpawnAction = "agent.spawn";

/// Names by which agents of a house may call the human and the owner's own agent.
constexpr std::string_view kUser = "user";
constexpr std::string_view kRoot = "root";

/// The agents that agents of this house made: a tree below each of the owner's own. Everything is
/// in the database before it is told; at start the active ones are there again.
///
/// Thread: the loop.
class House {
  public:
    /// More in one house are refused.
    static constexpr std::size_t kAgentsMax = 5'000;
    static constexpr int kDepthMax = 16;

    struct Environment {
        const Context& context;
        Agents& agents;
        /// Gives an agent its receiver and, when it is registered, its connection.
        std::function<void(const LocalAgent&)> start;
        /// Ends what `start` gave.
        std::function<void(const std::string& agent_id)> stop;
        /// What registers it at the market of its house and returns the agent key that it got
        /// there. Called on the loop; what it returns blocks and runs on a worker.
        std::function<std::function<Result<std::string>()>(const LocalAgent&)> registration_of;
        /// `AgentMail::take_at_home`.
        std::function<Result<std::function<void()>>(store::Database&, const InboxMessage&)> take;
        /// After other commits that others must act on.
        std::function<void()> on_effects;
    };
    explicit House(Environment environment);
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

    /// All that were made, stopped ones included, parents before children.
    std::vector<LocalAgent> list() const;
    /// `user` and `root` as ids; others as they are. Empty for `root` in a house without agents.
    std::string address_of(const std::string& name) const;
    /// One of the owner's own or one that was made and is active.
    bool is_ours(const std::string& agent_id) const;
    /// One that was made here and is not active any more.
    bool is_stopped(const std::string& agent_id) const;
    /// What it is for; "root" for the owner's own, empty for others than ours.
    std::string role_of(const std::string& agent_id) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Carries out `agent.spawn` after a yes, for an agent that gets a share of a mandate.
consent::Carrier carrier_by(House& house);

}  // namespace a2h::house
