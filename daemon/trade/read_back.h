#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/consent/actions.h"

namespace a2h::trade {

// Whether a call of the market whose answer was lost took effect: the values of
// `consent::ActionRow::read_back`, named after what is looked for. Each returns what the market
// shows of the effect; null if nothing shows that the call took effect.
//
// Errors:  those of `platform::Client::read` if the market could not be asked.
// Thread:  any; blocks.
// Source:  R18; daemon/trade/README.md.

/// Returns a post of ours with the same title and content.
Result<nlohmann::json> new_post(const consent::LostCall& lost);
/// Returns a reply of ours with the same content to the same post.
Result<nlohmann::json> new_reply(const consent::LostCall& lost);
/// Returns the post if it has every member that the call would have set.
Result<nlohmann::json> changed_post(const consent::LostCall& lost);
/// Returns the id of the post if it no longer exists.
Result<nlohmann::json> deleted_post(const consent::LostCall& lost);
/// Returns an unconfirmed order of ours for the same customer with the same title, price, currency
/// and listing.
Result<nlohmann::json> new_order(const consent::LostCall& lost);
/// Returns the order if it is in the state to which the action leads.
Result<nlohmann::json> moved_order(const consent::LostCall& lost);
/// Returns the payment of the order if it has an address to pay at.
Result<nlohmann::json> made_link(const consent::LostCall& lost);
/// Returns our profile if its payment code is the uploaded one. After a crash the address of the
/// upload is no longer known, and the result is null.
Result<nlohmann::json> uploaded_code(const consent::LostCall& lost);
/// Returns our profile if it has no payment code of this type.
Result<nlohmann::json> removed_code(const consent::LostCall& lost);
/// Returns our profile if its default payment method is the requested one.
Result<nlohmann::json> default_method(const consent::LostCall& lost);
/// Returns an open request of ours with the same title, description and type of capability.
Result<nlohmann::json> new_rfp(const consent::LostCall& lost);
/// Returns the request if it has the requested state and deadline.
Result<nlohmann::json> changed_rfp(const consent::LostCall& lost);
/// Returns our record at the market if it has exactly these capabilities.
Result<nlohmann::json> set_capabilities(const consent::LostCall& lost);
/// Returns a pending proposal of ours with the same price for the same request.
Result<nlohmann::json> new_proposal(const consent::LostCall& lost);
/// Returns the proposal if it has the requested state.
Result<nlohmann::json> moved_proposal(const consent::LostCall& lost);

}  // namespace a2h::trade
