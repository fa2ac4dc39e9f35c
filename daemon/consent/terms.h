#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/mandate.h"
#include "daemon/consent/strategy.h"

namespace a2h::mandates {

/// What a mandate can be about: each commits to one exact amount. Everything else always asks.
///   reply.send       a plain offer of a peer is accepted
///   message.offer    an offer is sent
///   message.accept   a peer's structured offer is accepted
///   order.create     an order is made
///   order.confirm    an order that the other side made is confirmed
///   proposal.submit  a proposal is handed in
///   proposal.accept  a proposal is accepted
///   demand.join      taking part in a negotiation of many parties, and agreeing to a plan's part
///   negotiation      offers and counters about one listing, see daemon/bargain
std::span<const std::string_view> actions();
inline constexpr std::string_view kNegotiation = "negotiation";
/// The one action that may be without any amount: who joins for a price has a lowest one, who names
/// none joins for nothing.
inline constexpr std::string_view kJoin = "demand.join";

/// Makes or confirms an order of a listing.
bool is_order(std::string_view action);
inline constexpr std::string_view kProposal = "proposal.submit";
/// Whether what it commits to stands in words that somebody else may have written: of a listing,
/// or of the request that a proposal answers. `works_id` is the listing's or the request's id, and
/// a mandate covers only the words that a person has seen (R48).
bool pins_words(std::string_view action);

/// How a mandate to negotiate is followed; nullopt for other mandates, and for terms that nobody
/// could follow.
std::optional<consent::Strategy> strategy_of(const MandateTerms& terms);

/// Refuses what would be a limit in name only.
///
/// Errors: InvalidArgument: an unknown action; no ISO 4217 currency; an amount below 1 or above
///         2^53-1; from above to; neither from nor to; no `to` where the owner may be the one who
///         pays; no count and no sum; a count or sum below 1; an end before the beginning, in the
///         past, or more than a year away; a negotiation without listing, side, or an opening that
///         is on the better side of the limit; what is a negotiation's elsewhere; a demand.join
///         without a count, or with a highest amount only; the words of a listing where none is
///         named, or for what is neither order nor proposal; a proposal without its request.
Result<void> check_terms(const MandateTerms& terms, UnixMs now_ms);

/// Canonical JSON. It holds a random salt, so that the hash of it gives away no amount.
std::string write_terms(const MandateTerms& terms);
/// Errors: Unsupported for a member that this program does not know, or of another type: what is
/// not understood limits everything, so that a mandate with it covers nothing.
Result<MandateTerms> read_terms(std::string_view terms_json);

}  // namespace a2h::mandates
