#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/domain/local_agent.h"
#include "daemon/context/agent.h"

namespace a2h::agents {

/// Names by which agents of a home may address the human and the owner's own agent.
constexpr std::string_view kUser = "user";
constexpr std::string_view kRoot = "root";

/// The agents of this home: the owner's own, and those that agents of the home created.
///
/// Thread:  the loop.
class Residents {
  public:
    explicit Residents(const Agents& agents) : agents_(agents) {}

    /// All created agents, including stopped ones, parents before children.
    const std::vector<LocalAgent>& list() const { return made_; }
    /// The id that `user` or `root` stands for; any other name unchanged. Empty for `root` in a
    /// home without agents.
    std::string address_of(const std::string& name) const;
    /// True for one of the owner's own agents.
    bool is_own(const std::string& agent_id) const;
    /// True for one of the owner's own agents and for an active created one.
    bool is_ours(const std::string& agent_id) const;
    /// True for a created agent that is no longer active.
    bool is_stopped(const std::string& agent_id) const;
    /// The role of an agent; "root" for the owner's own agents, empty for unknown ids.
    std::string role_of(const std::string& agent_id) const;

    /// A created agent; nullptr if there is none with this id.
    const LocalAgent* find(const std::string& agent_id) const;
    /// The number of created agents that are active.
    std::size_t active() const { return active_; }

    void add(LocalAgent agent);
    /// Updates a created agent: it is no longer active, or it has its key of the market.
    void stop(const std::string& agent_id, UnixMs now_ms);
    void set_registered(const std::string& agent_id, const std::string& agent_key);

  private:
    const Agents& agents_;
    std::vector<LocalAgent> made_;
    std::unordered_map<std::string, std::size_t> places_;
    std::size_t active_ = 0;
};

}  // namespace a2h::agents
