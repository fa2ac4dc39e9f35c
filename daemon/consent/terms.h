#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/mandate.h"

namespace a2h::consent {
struct MandateKind;
}

namespace a2h::mandates {

// Pure, except for the salt of `write_terms`.
//
// Thread:  any.

/// A number that limits a mandate.
struct Limit {
    /// Which value of a share would allow more than its parent's.
    enum class Wider {
        Unsaid,  ///< does not compile
        Lower,
        Higher,  ///< or none at all
        Opening  ///< one that is nearer to the limit of the owner's side, or none at all
    };
    std::string_view name;  ///< the same in the stored terms, in requests and in answers
    std::optional<std::int64_t> MandateTerms::*member;
    Wider wider = Wider::Unsaid;
    bool is_money = true;      ///< shown only to a human who has proved to be one
    bool limits_uses = false;  ///< the number or the sum of uses
};
/// All numbers of `MandateTerms`.
std::span<const Limit> limits();

/// Whether the words of a listing, of the request that is answered, or of one of them say what an
/// action commits to. `works_id` is the id of that listing or request.
bool pins_listing(std::string_view action);
bool pins_request(std::string_view action);
bool pins_words(std::string_view action);

/// Whether the limits include those that protect the owner, who sells, buys or may do either.
bool protects_owner(const MandateTerms& terms, const consent::MandateKind& kind);
/// The same by the kind that the terms name. False for a mandate of an earlier version that covers
/// nothing any more.
bool protects_owner(const MandateTerms& terms);

/// Whether the number or the sum of uses is limited, which every mandate needs.
bool limits_uses(const MandateTerms& terms);

/// Refuses terms that do not limit anything.
///
/// Errors:  InvalidArgument: an unknown action; no ISO 4217 currency; an amount below 1 or above
///          2^53-1; from above to; neither from nor to; not `protects_owner`; neither a count nor a
///          sum; a count or sum below 1; an end before the beginning, in the past, or more than a
///          year away; terms that the kind refuses or does not have; work for nothing without a
///          count, or with only a highest amount.
Result<void> check_bounds(const MandateTerms& terms, UnixMs now_ms);
/// The same, and refuses words of a listing that do not belong to the terms.
///
/// Errors:  also InvalidArgument: words of a listing if none is named, or for an action that does
///          not depend on them; an answer to a request without that request.
Result<void> check_terms(const MandateTerms& terms, UnixMs now_ms);

/// Returns the terms as canonical JSON. It contains a random salt, so that its hash does not reveal
/// an amount.
std::string write_terms(const MandateTerms& terms);
/// Reads what `write_terms` wrote, also in an earlier version: its names become present ones.
///
/// Errors:  Unsupported for a member that this program does not know or that has another type. Such
///          a member could be a limit, so a mandate with it covers nothing.
Result<MandateTerms> read_terms(std::string_view terms_json);

}  // namespace a2h::mandates
