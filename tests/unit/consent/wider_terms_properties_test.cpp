// Shares of shares stay within the first mandate; docs/protocol.md, "Messages between agents".

#include "daemon/consent/wider_terms.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/property.h"

using namespace a2h;
using a2h::mandates::wider_terms;
using a2h::test::check_property;

namespace {

struct Claim {
    std::string peer;
    std::string works;
    std::int64_t amount = 0;
    std::int64_t count_today = 0;  ///< this one included
    std::int64_t count_week = 0;
    std::int64_t sum_today = 0;
    std::int64_t sum_week = 0;
    UnixMs at_ms = 0;
};

bool allows(const MandateTerms& terms, const Claim& claim) {
    const auto within = [](const std::optional<std::int64_t>& most, std::int64_t value) {
        return !most || value <= *most;
    };
    return (terms.peer_id.empty() || terms.peer_id == claim.peer) &&
           (terms.works_id.empty() || terms.works_id == claim.works) &&
           claim.amount >= terms.amount_from_minor.value_or(1) &&
           within(terms.amount_to_minor, claim.amount) &&
           within(terms.count_per_day, claim.count_today) &&
           within(terms.count_per_week, claim.count_week) &&
           within(terms.sum_per_day_minor, claim.sum_today) &&
           within(terms.sum_per_week_minor, claim.sum_week) && claim.at_ms >= terms.starts_ms &&
           claim.at_ms < terms.ends_ms;
}

std::int64_t any_number() {
    return *rc::gen::inRange<std::int64_t>(1, 12);
}

std::optional<std::int64_t> any_limit() {
    return *rc::gen::inRange(0, 3) == 0 ? std::nullopt : std::optional(any_number());
}

MandateTerms any_terms() {
    MandateTerms terms;
    terms.action = *rc::gen::element<std::string>("order.confirm", "bargain");
    terms.currency = "CNY";
    terms.peer_id = *rc::gen::element<std::string>("", "ag_a", "ag_b");
    terms.works_id = *rc::gen::element<std::string>("", "works_1");
    for (auto* limit : {&terms.amount_from_minor, &terms.amount_to_minor, &terms.count_per_day,
                        &terms.count_per_week, &terms.sum_per_day_minor, &terms.sum_per_week_minor,
                        &terms.opening_minor, &terms.rounds}) {
        *limit = any_limit();
    }
    terms.side = *rc::gen::element<std::string>("sell", "buy");
    terms.strategy = *rc::gen::element<std::string>("hold_back", "to_limit");
    terms.starts_ms = any_number();
    terms.ends_ms = terms.starts_ms + any_number();
    return terms;
}

/// `parent` with one or two terms of another mandate: sometimes narrower, sometimes wider.
MandateTerms changed(const MandateTerms& parent) {
    MandateTerms share = parent;
    const MandateTerms other = any_terms();
    const int changes = *rc::gen::inRange(1, 3);
    for (int i = 0; i < changes; ++i) {
        switch (*rc::gen::inRange(0, 13)) {
            case 0:
                share.peer_id = other.peer_id;
                break;
            case 1:
                share.works_id = other.works_id;
                break;
            case 2:
                share.amount_from_minor = other.amount_from_minor;
                break;
            case 3:
                share.amount_to_minor = other.amount_to_minor;
                break;
            case 4:
                share.count_per_day = other.count_per_day;
                break;
            case 5:
                share.count_per_week = other.count_per_week;
                break;
            case 6:
                share.sum_per_day_minor = other.sum_per_day_minor;
                break;
            case 7:
                share.sum_per_week_minor = other.sum_per_week_minor;
                break;
            case 8:
                share.starts_ms = other.starts_ms;
                break;
            case 9:
                share.ends_ms = other.ends_ms;
                break;
            case 10:
                share.opening_minor = other.opening_minor;
                break;
            case 11:
                share.strategy = other.strategy;
                break;
            default:
                share.action = other.action;
                break;
        }
    }
    return share;
}

Claim any_claim() {
    return {.peer = *rc::gen::element<std::string>("ag_a", "ag_b", "ag_c"),
            .works = *rc::gen::element<std::string>("works_1", "works_2"),
            .amount = any_number(),
            .count_today = any_number(),
            .count_week = any_number(),
            .sum_today = any_number(),
            .sum_week = any_number(),
            .at_ms = any_number()};
}

}  // namespace

TEST_CASE("property: a chain of shares never allows what its root does not") {
    int links = 0;
    int allowed = 0;
    check_property([&] {
        const MandateTerms root = any_terms();
        MandateTerms last = root;
        for (int i = 0; i < 8; ++i) {
            const MandateTerms next = changed(last);
            if (!wider_terms(next, last).empty()) continue;
            last = next;
            ++links;
        }
        RC_ASSERT(wider_terms(last, root).empty());
        RC_ASSERT(last.action == root.action);
        for (int i = 0; i < 8; ++i) {
            const Claim claim = any_claim();
            if (!allows(last, claim)) continue;
            ++allowed;
            RC_ASSERT(allows(root, claim));
        }
    });
    CHECK(links > 1'000);
    CHECK(allowed > 50);
}

TEST_CASE("property: terms that allow more than their parent's are not a share") {
    int found = 0;
    check_property([&] {
        const MandateTerms parent = any_terms();
        const MandateTerms share = changed(parent);
        const Claim claim = any_claim();
        if (!allows(share, claim) || allows(parent, claim)) return;
        ++found;
        RC_ASSERT(!wider_terms(share, parent).empty());
    });
    CHECK(found > 5);
}
