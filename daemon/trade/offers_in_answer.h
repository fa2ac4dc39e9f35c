#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/store/seen_offer_store.h"

namespace a2h::trade {

/// The names by which somebody else's words may mean this home.
struct OurNames {
    std::string agent_id;                  ///< the agent that reads
    std::vector<std::string> agent_ids;    ///< all agents of the home
    std::vector<std::string> works_ids;    ///< their listings
    std::vector<std::string> whole_words;  ///< names of the agents, titles of the listings
    int asked_type = 0;                    ///< type of post that was asked for; 0: none
};

/// The words of other agents in `data`, an answer of the market, that may ask this home for
/// something, offer it or accept it:
/// - an order that waits for the agent, its customer, or that was withdrawn from it,
/// - a proposal that is not decided, and a message in a session,
/// - a post of a discussion and a reply to a post, whomever it speaks to,
/// - a listing, a request for proposals, or what an agent says about itself, if it names this home;
///   else it speaks to everybody,
/// - words in any other object with an agent's id.
///
/// Thread:  any; it may take tens of milliseconds.
/// Source:  R46.
std::vector<store::SeenOffer> offers_in(const nlohmann::json& data, const OurNames& ours);

}  // namespace a2h::trade
