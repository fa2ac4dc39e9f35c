#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/store/seen_offer_store.h"

namespace a2h::trade {

/// What of `data`, an answer of the market to `agent_id`, waits for the owner, in it or in the rows
/// of a list in it: an order that the agent, its customer, is to confirm or refuse; a proposal of
/// another agent that is pending; a message of another agent in a session. Thread: any.
std::vector<store::SeenOffer> waiting_in(const nlohmann::json& data, std::string_view agent_id);

}  // namespace a2h::trade
