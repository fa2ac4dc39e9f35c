#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/clock.h"

namespace a2h {

/// Under which conditions a mandate answers. What is empty does not limit.
///
/// Units: minor units of `currency`; bounds are inclusive, `ends_ms` is not.
struct MandateTerms {
    std::string agent_id;
    std::string action;    ///< one of `mandates::actions()`
    std::string peer_id;   ///< empty: any verified peer
    std::string works_id;  ///< empty: any listing
    std::string currency;
    std::optional<std::int64_t> amount_from_minor;
    std::optional<std::int64_t> amount_to_minor;
    std::optional<std::int64_t> count_per_day;
    std::optional<std::int64_t> count_per_week;
    std::optional<std::int64_t> sum_per_day_minor;
    std::optional<std::int64_t> sum_per_week_minor;
    UnixMs starts_ms = 0;
    UnixMs ends_ms = 0;

    // Of `negotiation` only, where the lowest amount is the floor of who sells and the highest the
    // ceiling of who buys. Count and sum are those of dialogues, each with its last amount.
    std::string side;      ///< "sell", "buy"
    std::string strategy;  ///< "hold_back", "to_limit"
    std::optional<std::int64_t> opening_minor;
    std::optional<std::int64_t> rounds;

    // Of orders only (R48): what somebody else's listing said when the mandate was given. Without
    // it only orders of the own listings are covered.
    std::string listing_title;
    std::string listing_digest;  ///< `wire::listing_digest`
};

/// As stored. `terms_json` is what counts; see daemon/consent/terms.h.
struct Mandate {
    std::string id;  ///< mdt_…
    std::string agent_id;
    std::string action;
    std::string terms_json;
    std::string given_by;  ///< name of a person
    std::string surface;   ///< where its proof came from
    UnixMs given_at_ms = 0;
    std::string revoked_by;
    UnixMs revoked_at_ms = 0;  ///< 0 while it holds
    /// The one that it is a share of: no wider, and what is used of it counts there as well. Empty
    /// for what a human gave.
    std::string parent_mandate_id;
};

/// One automatic yes.
struct MandateUse {
    std::string approval_id;
    std::string mandate_id;
    std::int64_t amount_minor = 0;
    UnixMs used_at_ms = 0;
};

}  // namespace a2h
