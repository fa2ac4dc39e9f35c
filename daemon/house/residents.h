#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/domain/local_agent.h"
#include "daemon/context/agent.h"

namespace a2h::house {

/// Names by which agents of a house may call the human and the owner's own agent.
constexpr std::string_view kUser = "user";
constexpr std::string_view kRoot = "root";

/// Who lives in this house: the owner's own agents, and those that agents of the house made.
///
/// Thread: the loop.
class Residents {
  public:
    explicit Residents(const Agents& agents) : agents_(agents) {}

    /// All that were made, stopped ones included, parents before children.
    const std::vector<LocalAgent>& list() const { return made_; }
    /// `user` and `root` as ids; others as they are. Empty for `root` in a house without agents.
    std::string address_of(const std::string& name) const;
    /// One of the owner's own.
    bool is_own(const std::string& agent_id) const;
    /// One of the owner's own or one that was made and is active.
    bool is_ours(const std::string& agent_id) const;
    /// One that was made here and is not active any more.
    bool is_stopped(const std::string& agent_id) const;
    /// What it is for; "root" for the owner's own, empty for others than ours.
    std::string role_of(const std::string& agent_id) const;

    /// One that was made here; nullptr when there is none.
    const LocalAgent* find(const std::string& agent_id) const;
    /// How many were made and are active.
    std::size_t active() const { return active_; }

    void add(LocalAgent agent);
    /// One that was made here is not active any more, or has its key of the market.
    void stop(const std::string& agent_id, UnixMs now_ms);
    void set_registered(const std::string& agent_id, const std::string& agent_key);

  private:
    const Agents& agents_;
    std::vector<LocalAgent> made_;
    std::unordered_map<std::string, std::size_t> places_;
    std::size_t active_ = 0;
};

}  // namespace a2h::house
