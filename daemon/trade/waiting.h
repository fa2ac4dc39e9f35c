#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/store/seen_offer_store.h"

namespace a2h::trade {

/// The items in `data`, an answer of the market to `agent_id`, or in the rows of a list in it, that
/// wait for the owner: an order that the agent, its customer, has to confirm or refuse; a pending
/// proposal of another agent; a message of another agent in a session.
///
/// Thread:  any.
std::vector<store::SeenOffer> waiting_in(const nlohmann::json& data, std::string_view agent_id);

}  // namespace a2h::trade
