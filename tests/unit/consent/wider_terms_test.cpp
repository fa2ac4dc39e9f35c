#include "daemon/consent/wider_terms.h"

#include <doctest/doctest.h>

#include "daemon/consent/terms.h"

using namespace a2h;
using namespace a2h::mandates;

namespace {

using Terms = std::vector<std::string_view>;

MandateTerms paying() {
    MandateTerms terms;
    terms.agent_id = "ag_parent";
    terms.action = "order.confirm";
    terms.currency = "CNY";
    terms.amount_from_minor = 100;
    terms.amount_to_minor = 50'000;
    terms.count_per_day = 5;
    terms.count_per_week = 20;
    terms.sum_per_day_minor = 100'000;
    terms.sum_per_week_minor = 200'000;
    terms.starts_ms = 1'000;
    terms.ends_ms = 9'000;
    return terms;
}

MandateTerms selling() {
    MandateTerms terms = paying();
    terms.action = "bargain";
    terms.works_id = "works_1";
    terms.side = "sell";
    terms.strategy = "hold_back";
    terms.amount_from_minor = 30'000;
    terms.amount_to_minor.reset();
    terms.opening_minor = 45'000;
    terms.rounds = 4;
    return terms;
}

/// The members of `terms` that are wider after `change`.
template <typename Change>
Terms wider_after(const MandateTerms& terms, Change change) {
    MandateTerms share = terms;
    change(share);
    return wider_terms(share, terms);
}

}  // namespace

TEST_CASE("the same terms, and narrower ones, are a share") {
    CHECK(wider_terms(paying(), paying()).empty());
    CHECK(wider_after(paying(), [](MandateTerms& share) {
              share.agent_id = "ag_child";
              share.peer_id = "ag_peer";
              share.works_id = "works_2";
              share.amount_from_minor = 200;
              share.amount_to_minor = 40'000;
              share.count_per_day = 1;
              share.sum_per_week_minor = 50'000;
              share.starts_ms = 2'000;
              share.ends_ms = 8'000;
          }).empty());
}

TEST_CASE("each term that is wider is named") {
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.action = "order.create"; }) ==
          Terms{"action"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.currency = "USD"; }) ==
          Terms{"currency"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.amount_from_minor = 99; }) ==
          Terms{"amount_from_minor"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.amount_from_minor.reset(); }) ==
          Terms{"amount_from_minor"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.amount_to_minor = 50'001; }) ==
          Terms{"amount_to_minor"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.amount_to_minor.reset(); }) ==
          Terms{"amount_to_minor"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.starts_ms = 999; }) ==
          Terms{"starts_ms"});
    CHECK(wider_after(paying(), [](MandateTerms& share) { share.ends_ms = 9'001; }) ==
          Terms{"ends_ms"});
    CHECK(
        wider_after(paying(), [](MandateTerms& share) {
            share.count_per_day = 6;
            share.count_per_week.reset();
            share.sum_per_day_minor.reset();
            share.sum_per_week_minor = 200'001;
        }) == Terms{"count_per_day", "count_per_week", "sum_per_day_minor", "sum_per_week_minor"});
}

TEST_CASE("every number that the parent sets limits a share") {
    CHECK(mandates::limits().size() == 8);
    for (const mandates::Limit& limit : mandates::limits()) {
        CAPTURE(limit.name);
        MandateTerms parent = paying();
        parent.side = "sell";
        parent.*limit.member = 10;
        const auto exceeds = [&](std::optional<std::int64_t> value) {
            const Terms wider =
                wider_after(parent, [&](MandateTerms& share) { share.*limit.member = value; });
            if (wider.empty()) return false;
            CHECK(wider == Terms{limit.name});
            return true;
        };
        CHECK(!exceeds(10));
        CHECK(exceeds(9) != exceeds(11));
        CHECK(exceeds(std::nullopt));
    }
}

TEST_CASE("a peer or listing that the parent names stays") {
    MandateTerms parent = paying();
    parent.peer_id = "ag_peer";
    parent.works_id = "works_1";
    CHECK(wider_terms(parent, parent).empty());
    CHECK(wider_after(parent, [](MandateTerms& share) { share.peer_id = "ag_other"; }) ==
          Terms{"peer_id"});
    CHECK(wider_after(parent, [](MandateTerms& share) { share.works_id.clear(); }) ==
          Terms{"works_id"});
}

TEST_CASE("a share of a seller's negotiation gives the peer no more") {
    CHECK(wider_after(selling(), [](MandateTerms& share) {
              share.amount_from_minor = 35'000;
              share.opening_minor = 50'000;
              share.rounds = 2;
          }).empty());
    CHECK(wider_after(selling(), [](MandateTerms& share) {
              share.amount_from_minor = 29'999;
              share.opening_minor = 44'999;
              share.rounds = 5;
              share.strategy = "to_limit";
          }) == Terms{"amount_from_minor", "opening_minor", "rounds", "strategy"});
    CHECK(wider_after(selling(), [](MandateTerms& share) { share.side = "buy"; }) == Terms{"side"});
    CHECK(wider_after(selling(), [](MandateTerms& share) { share.opening_minor.reset(); }) ==
          Terms{"opening_minor"});
    CHECK(wider_after(selling(), [](MandateTerms& share) { share.strategy = "surprise"; }) ==
          Terms{"strategy"});
}

TEST_CASE("a buyer's share opens no higher and may be more cautious than its parent") {
    MandateTerms parent = selling();
    parent.side = "buy";
    parent.strategy = "to_limit";
    parent.amount_from_minor.reset();
    parent.amount_to_minor = 45'000;
    parent.opening_minor = 30'000;
    CHECK(wider_after(parent, [](MandateTerms& share) {
              share.strategy = "hold_back";
              share.opening_minor = 25'000;
              share.amount_to_minor = 40'000;
          }).empty());
    CHECK(wider_after(parent, [](MandateTerms& share) {
              share.opening_minor = 30'001;
              share.amount_to_minor = 45'001;
          }) == Terms{"amount_to_minor", "opening_minor"});
}
