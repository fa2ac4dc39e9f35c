#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/domain/approval.h"

namespace a2h::consent {

/// The guarantees of the caller about a question when it asks. They are not stored, so they count
/// only then: without them no mandate says yes.
struct Claims {
    /// The caller guarantees that a yes commits to nothing but action, peer, listing and amount, so
    /// that a mandate may give it.
    bool is_bounded = false;
    /// For an order: whether the listing is the agent's own, otherwise its present digest
    /// (`wire::listing_digest`).
    bool has_own_listing = false;
    std::string listing_digest{};
    /// The mandate that has approved the same terms when they were offered. It may approve them
    /// again, and that is one use of it.
    std::string continues_mandate{};
    /// The inbox row of the offer that a yes would accept; 0: none. After a newer message of the
    /// peer, mandates do not accept it.
    std::int64_t accepts_inbox_id = 0;
};

/// A question that is about to be asked. One that is stored has no claims any more.
struct Question : Approval {
    Question() = default;
    explicit Question(Approval asked) : Approval(std::move(asked)) {}

    Claims claims;
};

}  // namespace a2h::consent
