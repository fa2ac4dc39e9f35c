#include "daemon/consent/bounded.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;

namespace {

const json kPrice{{"amount", 250}, {"currency", "CNY"}};

json and_also(json object, const char* name, const json& value) {
    object[name] = value;
    return object;
}

}  // namespace

TEST_CASE("a mandate covers our own offer and acceptance only without any words") {
    const json offer{{"type", "offer"}, {"price", kPrice}, {"worksId", "w1"}};
    const json accept{{"type", "accept"}, {"offer_message_id", "msg_1"}};
    CHECK(mandates::is_bounded_payload(offer));
    CHECK(mandates::is_bounded_payload(accept));
    for (const char* name : {"text", "note", "summary", "terms"}) {
        CAPTURE(name);
        CHECK_FALSE(mandates::is_bounded_payload(and_also(offer, name, "Hello.")));
        CHECK_FALSE(mandates::is_bounded_payload(and_also(accept, name, "Hello.")));
    }
    CHECK_FALSE(mandates::is_bounded_payload(and_also(accept, "price", kPrice)));
    CHECK_FALSE(mandates::is_bounded_payload(and_also(accept, "valid_until", "when I am paid")));
}

TEST_CASE("no spelling of a time or an amount carries words past a mandate") {
    const auto priced = [](const json& amount) {
        return json{{"type", "offer"}, {"price", {{"amount", amount}, {"currency", "CNY"}}}};
    };
    const json offer = priced(250);
    for (const char* same : {"2030-10-01T00:00:00.072101108Z", "2030-10-01T00:00:00.000Z",
                             "2030-10-01T08:00:00+08:00"}) {
        CAPTURE(same);
        CHECK_FALSE(mandates::is_bounded_payload(and_also(offer, "valid_until", same)));
    }
    CHECK(mandates::is_bounded_payload(and_also(offer, "valid_until", "2030-10-01T00:00:00Z")));
    for (const char* same : {"250", "250.00"})
        CHECK(mandates::is_bounded_payload(priced(same)));
    for (const char* same : {"0250", "000000250.00", "250.0", "+250", " 250"})
        CHECK_FALSE(mandates::is_bounded_payload(priced(same)));
}

TEST_CASE("a mandate covers a peer's offer only if its end is a time") {
    const json offer{{"type", "offer"}, {"price", kPrice}};
    CHECK(mandates::is_bounded_offer(offer, false));
    CHECK(
        mandates::is_bounded_offer(and_also(offer, "valid_until", "2030-10-01T00:00:00Z"), false));
    CHECK_FALSE(mandates::is_bounded_offer(and_also(offer, "valid_until", "prepaid only"), false));
    CHECK_FALSE(mandates::is_bounded_offer(and_also(offer, "valid_until", 5), false));
    CHECK_FALSE(mandates::is_bounded_offer(and_also(offer, "text", "prepaid"), false));
    // A number in the place of a text is not shown if a mandate answers.
    for (const char* name : {"text", "worksId"}) {
        CAPTURE(name);
        for (const json& odd : {json(10), json(1.5), json(true)}) {
            CHECK_FALSE(mandates::is_bounded_offer(and_also(offer, name, odd), true));
            CHECK_FALSE(mandates::is_bounded_payload(and_also(offer, name, odd)));
        }
    }
}

TEST_CASE("a mandate covers a proposal only without words and without a date") {
    const json proposal{{"rfp_id", "rfp_1"}, {"price", kPrice}};
    CHECK(mandates::is_bounded_call("proposal.submit", proposal));
    CHECK_FALSE(
        mandates::is_bounded_call("proposal.submit", and_also(proposal, "content", "Hello.")));
    CHECK_FALSE(
        mandates::is_bounded_call("proposal.submit", and_also(proposal, "delivery_at", "soon")));
    CHECK_FALSE(mandates::is_bounded_call("works.publish", json::object()));
}
