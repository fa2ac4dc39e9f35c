#include "daemon/consent/wider_terms.h"

#include <cstdint>
#include <optional>

#include "core/base/money.h"

namespace a2h::mandates {
namespace {

using Limit = std::optional<std::int64_t>;

constexpr std::string_view kSell = "sell";
constexpr std::string_view kHoldBack = "hold_back";
constexpr std::string_view kToLimit = "to_limit";

struct HighestField {
    std::string_view name;
    Limit MandateTerms::*member;
};
/// A higher value allows more, and an unset one allows anything.
constexpr HighestField kHighest[] = {
    {"count_per_day", &MandateTerms::count_per_day},
    {"count_per_week", &MandateTerms::count_per_week},
    {"sum_per_day_minor", &MandateTerms::sum_per_day_minor},
    {"sum_per_week_minor", &MandateTerms::sum_per_week_minor},
    {"rounds", &MandateTerms::rounds},
};

bool is_looser(const Limit& share, const Limit& parent) {
    return parent && (!share || *share > *parent);
}

/// An empty value allows anything.
bool is_looser(const std::string& share, const std::string& parent) {
    return !parent.empty() && share != parent;
}

/// A seller who opens lower, or a buyer who opens higher, gives the peer more.
bool opens_worse(const MandateTerms& share, const MandateTerms& parent) {
    if (!parent.opening_minor) return false;
    if (!share.opening_minor) return true;
    return parent.side == kSell ? *share.opening_minor < *parent.opening_minor
                                : *share.opening_minor > *parent.opening_minor;
}

bool concedes_more(std::string_view share, std::string_view parent) {
    return share != parent && !(share == kHoldBack && parent == kToLimit);
}

}  // namespace

std::vector<std::string_view> wider_terms(const MandateTerms& share, const MandateTerms& parent) {
    std::vector<std::string_view> wider;
    const auto note = [&](bool is_wider, std::string_view name) {
        if (is_wider) wider.push_back(name);
    };
    note(share.action != parent.action, "action");
    note(share.currency != parent.currency, "currency");
    note(is_looser(share.peer_id, parent.peer_id), "peer_id");
    note(is_looser(share.works_id, parent.works_id), "works_id");
    note(share.listing_digest != parent.listing_digest, "listing_digest");
    note(share.amount_from_minor.value_or(1) < parent.amount_from_minor.value_or(1),
         "amount_from_minor");
    note(share.amount_to_minor.value_or(kMoneyMinorMax) >
             parent.amount_to_minor.value_or(kMoneyMinorMax),
         "amount_to_minor");
    for (const HighestField& field : kHighest)
        note(is_looser(share.*field.member, parent.*field.member), field.name);
    note(share.starts_ms < parent.starts_ms, "starts_ms");
    note(share.ends_ms > parent.ends_ms, "ends_ms");
    note(share.side != parent.side, "side");
    note(concedes_more(share.strategy, parent.strategy), "strategy");
    note(opens_worse(share, parent), "opening_minor");
    return wider;
}

}  // namespace a2h::mandates
