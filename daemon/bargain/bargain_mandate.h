#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/bargain.h"
#include "core/domain/mandate.h"
#include "core/store/database.h"
#include "daemon/bargain/strategy.h"

namespace a2h::bargain {

/// The action of a mandate for offers and counter-offers about one listing.
inline constexpr std::string_view kBargain = "bargain";

/// The strategy of a mandate for haggling; nullopt for other mandates and for terms that cannot be
/// followed. Pure.
std::optional<Strategy> strategy_of(const MandateTerms& terms);

/// A valid mandate for haggling.
struct BargainMandate {
    std::string id;
    MandateTerms terms;
    Strategy strategy;
};

/// The mandate of `bargain`, or if it names none, the oldest for its agent, peer and listing.
/// nullopt if there is none, it was revoked, it has expired, or one that may be about the bargain
/// is suspended (`mandates::kRest`).
///
/// Errors:  those of the database.
/// Thread:  the store writer, like all below.
Result<std::optional<BargainMandate>> find_mandate(store::Database& db, const Bargain& bargain,
                                                   UnixMs now_ms);
/// Whether an offer of this amount stays within limit, counts and sums. A bargain counts once, with
/// its last amount, while it is open and after an agreement, so earlier offers of `bargain_id` do
/// not count.
Result<bool> may_offer(store::Database& db, const BargainMandate& mandate,
                       std::int64_t amount_minor, std::int64_t bargain_id, UnixMs now_ms);

/// Registers the mandates for haggling: which terms they have and what they have used. Call before
/// other threads start.
void register_actions();

}  // namespace a2h::bargain
