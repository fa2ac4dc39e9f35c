#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/mandate.h"
#include "daemon/consent/strategy.h"

namespace a2h::mandates {

/// What a mandate can be about. Each action commits to one exact amount; all others always ask.
///   reply.send       accept a plain offer of a peer
///   message.offer    send an offer
///   message.accept   accept a structured offer of a peer
///   order.create     create an order
///   order.confirm    confirm an order that the other side created
///   proposal.submit  submit a proposal
///   proposal.accept  accept a proposal
///   demand.join      take part in a negotiation of many parties and agree to a part of a plan
///   negotiation      offers and counter-offers about one listing, see daemon/bargain
std::span<const std::string_view> actions();
inline constexpr std::string_view kNegotiation = "negotiation";
/// The only action that may have no amount. An agent that joins for a price has a lowest price; an
/// agent without one joins for nothing.
inline constexpr std::string_view kJoin = "demand.join";

/// Makes or confirms an order of a listing.
bool is_order(std::string_view action);
inline constexpr std::string_view kProposal = "proposal.submit";
/// Whether the commitment is in words that somebody else may have written: those of a listing, or
/// of the request that a proposal answers. `works_id` is the id of the listing or request, and a
/// mandate covers only words that a person has seen (R48).
bool pins_words(std::string_view action);

/// The strategy of a mandate to negotiate; nullopt for other mandates and for terms that cannot be
/// followed.
std::optional<consent::Strategy> strategy_of(const MandateTerms& terms);

/// Refuses terms that do not limit anything.
///
/// Errors:  InvalidArgument: an unknown action; no ISO 4217 currency; an amount below 1 or above
///          2^53-1; from above to; neither from nor to; no `to` where the owner may be the one who
///          pays; neither a count nor a sum; a count or sum below 1; an end before the beginning,
///          in the past, or more than a year away; a negotiation without listing, side, or an
///          opening on the better side of the limit; members of a negotiation in another action; a
///          demand.join without a count, or with only a highest amount; words of a listing if none
///          is named, or for an action that is neither an order nor a proposal; a proposal without
///          its request.
Result<void> check_terms(const MandateTerms& terms, UnixMs now_ms);

/// Canonical JSON. It contains a random salt, so that its hash does not reveal an amount.
std::string write_terms(const MandateTerms& terms);
/// Errors:  Unsupported for a member that this program does not know or that has another type. Such
///          a member could be a limit, so a mandate with it covers nothing.
Result<MandateTerms> read_terms(std::string_view terms_json);

}  // namespace a2h::mandates
