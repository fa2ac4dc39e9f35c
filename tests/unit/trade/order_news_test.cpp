#include "daemon/trade/order_news.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/consent/newer.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using test::Desk;
using test::must;

namespace {

Approval ask(Desk& desk, const char* rule, const char* order_id) {
    consent::Ask question = desk.ask();
    question.order_id = order_id;
    question.requested_by = rule;
    if (*order_id != '\0') question.about = About::Other;
    return desk.open(question);
}

/// What the market's news make out of date: the order WKS_1 with the buyer is `status`.
consent::Later later_by(const char* status) {
    trade::register_order_news();
    const nlohmann::json news{{"order",
                               {{"status", status},
                                {"peerId", "ag_buyer"},
                                {"orderId", "WKS_1"},
                                {"productId", "works_1"}}}};
    const auto later = consent::later_by_news("ag_seller", news.dump());
    REQUIRE(later.has_value());
    return *later;
}

/// Stores those news; the number of closed questions.
int hear(Desk& desk, const char* status) {
    const consent::Later later = later_by(status);
    int closed = 0;
    desk.write(
        [&] { closed = must(consent::close_older(*desk.db, later, desk.policy, desk.now)); });
    return closed;
}

}  // namespace

TEST_CASE("a message about an order closes offers, and its questions once it is final") {
    Desk desk;
    const Approval of_listing = ask(desk, "rule:own.bids", "");
    const Approval of_order = ask(desk, "rule:order.named", "WKS_1");
    CHECK(hear(desk, "CONFIRMED") == 1);
    CHECK(desk.stored(of_listing.id).closed_by == ClosedBy::Order);
    for (const char* final : {"REJECTED", "CANCELLED"}) {
        const Approval question = ask(desk, "rule:order.named", "WKS_1");
        CHECK(hear(desk, final) >= 1);
        CHECK(desk.stored(question.id).closed_by == ClosedBy::Order);
    }
    CHECK(desk.stored(of_order.id).closed_by == ClosedBy::Order);
}

TEST_CASE("once an order is paid, only the question whether to pay for it closes") {
    for (const char* paid : {"PAID", "COMPLETED"}) {
        Desk desk;
        const Approval payment = ask(desk, "rule:payment.code", "WKS_1");
        const Approval other_payment = ask(desk, "rule:payment.code", "WKS_2");
        const Approval about_order = ask(desk, "rule:order.named", "WKS_1");
        const Approval offer = ask(desk, "rule:own.bids", "");
        CHECK(hear(desk, paid) == 1);
        CHECK(desk.stored(payment.id).closed_by == ClosedBy::Order);
        for (const Approval* other : {&other_payment, &about_order, &offer})
            CHECK(desk.stored(other->id).status == ApprovalStatus::Pending);
    }
}

TEST_CASE("news that name no order or no peer make nothing out of date") {
    trade::register_order_news();
    for (const char* payload :
         {"{}", R"({"order":{"status":"PAID"}})", R"({"order":{"peerId":"ag_buyer"}})",
          R"({"order":{"status":"LOST","peerId":"ag_buyer"}})", "no JSON"}) {
        CHECK_FALSE(consent::later_by_news("ag_seller", payload).has_value());
    }
}

TEST_CASE("only a new order ends what was agreed before") {
    CHECK(later_by("PENDING_CONFIRM").begins_order);
    for (const char* status : {"CONFIRMED", "PAID", "COMPLETED", "REJECTED", "CANCELLED"}) {
        const consent::Later later = later_by(status);
        CHECK_FALSE(later.begins_order);
        CHECK(later.agent_id == "ag_seller");
        CHECK(later.peer_id == "ag_buyer");
    }
}
