#pragma once

#include <map>
#include <string>

#include "core/base/guarded.h"
#include "core/i18n/messages.h"

namespace a2h::card {

/// The agents of a home that act at the market, with the names that people know. While there are
/// several, each card names the agent for which it asks.
///
/// Thread:  any.
class ActingAgents {
  public:
    /// Adds an agent, or renames it.
    void add(const std::string& agent_id, const std::string& name);
    void remove(const std::string& agent_id);
    /// "Shop (ag_…)" for the agent that asks; empty while no other agent could be meant.
    std::string name_of(const std::string& agent_id) const;

  private:
    Guarded<std::map<std::string, std::string>> names_;  ///< keyed by agent
};

/// For whom a card is written: their language, and the agents among which they distinguish. A
/// language alone is the reader of a home with one agent.
struct Reader {
    Reader(i18n::Language spoken, const ActingAgents* agents = nullptr)
        : language(spoken), acting_agents(agents) {}

    i18n::Language language;
    const ActingAgents* acting_agents;  ///< null: the card does not name the agent
};

}  // namespace a2h::card
