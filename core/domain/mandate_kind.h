#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "core/base/former_names.h"

namespace a2h {

// Pure. Thread: any.

/// A matter that a mandate can be about, and what such a mandate needs. It commits to one exact
/// amount; everything else always asks.
struct MandateKind {
    /// The words, perhaps written by somebody else, that say what the yes commits to. A mandate
    /// covers only words that a person has seen (R48).
    enum class Words {
        None,
        Named,    ///< those of the listing, if it names one
        Listing,  ///< those of a listing; the owner's own listings count as seen
        Request   ///< those of the request that it answers
    };
    /// The owner's side of the price. A seller needs a lowest amount, a buyer a highest one, and an
    /// owner who may be either needs both. Unsaid: the terms name the side, or there may be no
    /// price.
    enum class Side { Unsaid, Sells, Buys, Either };

    std::string_view name;            ///< `MandateTerms::action`
    std::string_view payload_type{};  ///< of the messages that it covers, if it is about messages
    Words words = Words::None;
    Side side = Side::Unsaid;
    /// A yes makes an offer that the peer may accept without asking again, until its `valid_until`.
    bool makes_offer = false;
    bool accepts_offer = false;  ///< a yes accepts what a peer has offered in a message
    bool may_be_free = false;    ///< it may have no amount, and then commits to work for nothing
    /// The terms of haggling: side, opening, rounds and strategy. Other kinds have none of them.
    bool haggles = false;

    /// Whether the terms can contain the digest of words that the human has seen.
    constexpr bool pins_words() const { return words == Words::Listing || words == Words::Request; }
};

/// All kinds of mandates. What a2hd does about one is a row of its feature (`consent::ActionRow`).
inline constexpr MandateKind kMandateKinds[] = {
    {.name = "reply.send", .side = MandateKind::Side::Sells, .accepts_offer = true},
    {.name = "message.offer",
     .payload_type = "offer",
     .words = MandateKind::Words::Named,
     .side = MandateKind::Side::Either,
     .makes_offer = true},
    {.name = "message.accept",
     .payload_type = "accept",
     .words = MandateKind::Words::Named,
     .side = MandateKind::Side::Either,
     .accepts_offer = true},
    {.name = "order.create",
     .words = MandateKind::Words::Listing,
     .side = MandateKind::Side::Sells},
    {.name = "order.confirm",
     .words = MandateKind::Words::Listing,
     .side = MandateKind::Side::Buys},
    {.name = "proposal.submit",
     .words = MandateKind::Words::Request,
     .side = MandateKind::Side::Sells},
    {.name = "proposal.accept", .side = MandateKind::Side::Buys},
    {.name = "demand.join", .may_be_free = true},
    {.name = "bargain",
     .words = MandateKind::Words::Listing,
     .accepts_offer = true,
     .haggles = true},
};

/// Stored terms keep the name that they were given with.
inline constexpr FormerName kFormerMandateKinds[] = {{"negotiation", "bargain"}};

/// The rounds and the strategy of terms of haggling that name neither.
inline constexpr std::int64_t kRoundsUnlessNamed = 4;
inline constexpr std::string_view kStrategyUnlessNamed = "hold_back";

/// The kind with this name; nullptr if there is none.
constexpr const MandateKind* mandate_kind_named(std::string_view name) {
    const auto* found = std::find_if(std::begin(kMandateKinds), std::end(kMandateKinds),
                                     [&](const MandateKind& kind) { return kind.name == name; });
    return found == std::end(kMandateKinds) ? nullptr : found;
}

/// The kind with this name, which must exist: otherwise the program does not compile.
consteval MandateKind mandate_kind(std::string_view name) {
    return *mandate_kind_named(name);
}

}  // namespace a2h
