#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/clock.h"

namespace a2h {

/// The conditions under which a mandate answers. Empty members do not limit.
///
/// Units:   minor units of `currency`; bounds are inclusive, `ends_ms` is exclusive.
struct MandateTerms {
    std::string agent_id;
    std::string action;    ///< the name of one of `kMandateKinds`
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

    // Only for `bargain`, where the lowest amount is the limit of a seller and the highest that
    // of a buyer. Count and sum are those of bargains, each with its last amount.
    std::string side;      ///< "sell", "buy"
    std::string strategy;  ///< "hold_back", "to_limit"
    std::optional<std::int64_t> opening_minor;
    std::optional<std::int64_t> rounds;

    // Only for actions that depend on the words of a listing or request (R48): what it said when
    // the mandate was given. Without it only our own listings are covered.
    std::string listing_title;
    std::string listing_digest;  ///< `wire::listing_digest`

    /// `wire::own_listing_hash` of the owner's own listing `works_id` when the mandate was given.
    /// Empty: no own listing is named, or an older version gave the mandate.
    std::string own_listing_hash;
};

/// A stored mandate. `terms_json` is authoritative; see daemon/consent/terms.h.
struct Mandate {
    std::string id;  ///< mdt_…
    std::string agent_id;
    std::string action;
    std::string terms_json;
    std::string given_by;  ///< name of the person
    std::string surface;   ///< the surface of the proof
    UnixMs given_at_ms = 0;
    std::string revoked_by;
    UnixMs revoked_at_ms = 0;  ///< 0 while it is valid
    /// The mandate of which this is a share. A share is never wider, and its uses count there as
    /// well. Empty for a mandate given by a human.
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
