#include "daemon/consent/wider_terms.h"

#include <cstdint>
#include <optional>

#include "daemon/consent/terms.h"

namespace a2h::mandates {
namespace {

constexpr std::string_view kSell = "sell";
constexpr std::string_view kHoldBack = "hold_back";
constexpr std::string_view kToLimit = "to_limit";

/// An unset value allows anything.
bool is_higher(const std::optional<std::int64_t>& share,
               const std::optional<std::int64_t>& parent) {
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

bool is_wider(const Limit& limit, const MandateTerms& share, const MandateTerms& parent) {
    switch (limit.wider) {
        case Limit::Wider::Lower:
            return (share.*limit.member).value_or(1) < (parent.*limit.member).value_or(1);
        case Limit::Wider::Higher:
            return is_higher(share.*limit.member, parent.*limit.member);
        case Limit::Wider::Opening:
            return opens_worse(share, parent);
        case Limit::Wider::Unsaid:
            break;
    }
    return true;
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
    for (const Limit& limit : limits())
        note(is_wider(limit, share, parent), limit.name);
    note(share.starts_ms < parent.starts_ms, "starts_ms");
    note(share.ends_ms > parent.ends_ms, "ends_ms");
    note(share.side != parent.side, "side");
    note(concedes_more(share.strategy, parent.strategy), "strategy");
    return wider;
}

}  // namespace a2h::mandates
