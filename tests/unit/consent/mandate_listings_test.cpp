// What a listing says while a mandate covers it.
#include <doctest/doctest.h>

#include <string>

#include "core/store/listing_store.h"
#include "daemon/consent/mandates.h"
#include "tests/unit/consent/mandate_desk.h"

using namespace a2h;
using consent::Ask;
using test::MandateDesk;
using test::must;
using test::reply_terms;

TEST_CASE_FIXTURE(MandateDesk, "R48: somebody else's listing counts as it was when it was seen") {
    MandateTerms order = reply_terms();
    order.action = "order.confirm";
    order.amount_to_minor = 50'000;
    order.listing_title = "Portrait";
    order.listing_digest = "seen";
    const std::string id = give(order);
    Ask asked = bounded();
    asked.action = "order.action";
    asked.request_json = R"({"order_id":"o1","action":"confirm"})";
    asked.provenance = "";
    asked.question = "Confirm?";
    asked.listing_digest = "seen";
    CHECK(opened(asked).answered_by == "mandate:" + id);
    asked.listing_digest = "";
    CHECK(opened(asked).question == "Confirm?");
    asked.listing_digest = "changed";
    const Approval approval = opened(asked);
    CHECK(approval.status == ApprovalStatus::Pending);
    CHECK(approval.question ==
          "Confirm? The listing or request has changed since you gave the mandate " + id +
              ", so you are asked.");
    // The reason is the same for every amount, so it does not reveal the limit.
    asked.amount_minor = 900'000;
    CHECK(opened(asked).question == approval.question);
    asked.works_id = "works_2";
    CHECK(opened(asked).question == "Confirm?");
}

TEST_CASE_FIXTURE(
    MandateDesk,
    "R48: a mandate that names an own listing ends when the listing says something else") {
    Listing own;
    own.works_id = "works_1";
    own.agent_id = "ag_seller";
    own.title = "Portrait";
    own.content = "One hour.";
    const auto publish = [&] {
        write([&] { must(store::replace_listings(*db, "ag_seller", {own}, now)); });
    };
    const auto is_outdated = [&] {
        return must(mandates::list(*db, "ag_seller", false, now)).at(0).is_outdated;
    };
    publish();
    MandateTerms wanted = reply_terms();
    wanted.works_id = "works_1";
    const std::string id = give(wanted);
    CHECK(yes(bounded()));
    own.updated_at_ms += 1;  // says nothing else
    publish();
    CHECK(yes(bounded()));
    CHECK_FALSE(is_outdated());
    const Listing before = own;
    SUBCASE("other words") {
        own.content += " And the grand piano.";
    }
    SUBCASE("another price") {
        own.expected_price = "900 CNY";
    }
    SUBCASE("another place") {
        own.service_location = "Berlin";
    }
    SUBCASE("another side") {
        own.type = ListingType::Demand;
    }
    SUBCASE("it was deleted") {
        own.works_id = "works_9";
    }
    publish();
    CHECK(is_outdated());
    const Approval asked = opened(bounded());
    CHECK(asked.status == ApprovalStatus::Pending);
    CHECK(asked.question.find("changed since you gave the mandate " + id) != std::string::npos);
    over(asked);
    own = before;
    publish();
    CHECK(yes(bounded()));
}

TEST_CASE_FIXTURE(MandateDesk,
                  "R48: a mandate without the words of a listing covers only our own listings") {
    MandateTerms order = reply_terms();
    order.action = "order.create";
    order.works_id = "";
    give(order);
    Ask asked = bounded();
    asked.action = "order.create";
    asked.request_json = "{}";
    asked.provenance = "";
    asked.listing_digest = "anything";
    CHECK(!yes(asked));
    asked.listing_digest = "";
    CHECK(!yes(asked));
    asked.has_own_listing = true;
    CHECK(yes(asked));
}
