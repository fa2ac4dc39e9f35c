#pragma once

namespace a2h::trade {

/// Tells consent which news of the market make a call pointless: a move of an order that its state
/// no longer allows, an answer to a proposal that is no longer pending, a proposal for a request
/// that is closed. Before other threads start.
void register_actions();

}  // namespace a2h::trade
