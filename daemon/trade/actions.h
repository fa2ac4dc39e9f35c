#pragma once

namespace a2h::trade {

/// Registers which mandates may cover a call of the market, whether its arguments are bounded, how
/// it is read back if its answer is lost, and which news of the market leave it without effect: an
/// action that an order's state no longer allows, an answer to a proposal that is no longer
/// pending, a proposal for a closed request. Call before other threads start.
void register_actions();

}  // namespace a2h::trade
