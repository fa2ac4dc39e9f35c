#include "daemon/trade/actions.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/catalogue/operations.h"
#include "core/domain/approval.h"
#include "core/platform/requests.h"
#include "daemon/consent/actions.h"

using namespace a2h;
using nlohmann::json;

namespace {

bool is_void(const char* action, const json& request, const json& news) {
    trade::register_actions();
    return consent::row_of(action).is_void(request, news);
}

json order_is(const char* status, int role) {
    return {{"type", "order.event"},
            {"order", {{"orderId", "WKS1"}, {"status", status}, {"currentType", role}}}};
}

json proposal_was(const char* event) {
    return {{"type", "proposal.event"}, {"event", event}, {"proposal_id", "prop_1"}};
}

}  // namespace

TEST_CASE("R45: a move that the state of its order no longer allows is void") {
    const json confirm{{"order_id", "WKS1"}, {"action", "confirm"}};
    CHECK_FALSE(is_void("order.action", confirm, order_is("PENDING_CONFIRM", 1)));
    CHECK(is_void("order.action", confirm, order_is("CANCELLED", 1)));
    CHECK(is_void("order.action", confirm, order_is("CONFIRMED", 1)));
    CHECK_FALSE(is_void("order.action", {{"order_id", "WKS2"}, {"action", "confirm"}},
                        order_is("CANCELLED", 1)));
    CHECK_FALSE(is_void("order.action", {{"action", "confirm"}}, json::object()));
    CHECK_FALSE(is_void("order.action", confirm, order_is("CANCELLED", 3)));
}

TEST_CASE("R45: an answer to a proposal that is not pending is void, and so is one to no request") {
    const json accept{{"proposal_id", "prop_1"}, {"status", "accepted"}};
    CHECK_FALSE(is_void("proposal.update", accept, proposal_was("submitted")));
    CHECK(is_void("proposal.update", accept, proposal_was("withdrawn")));
    CHECK_FALSE(is_void("proposal.update", {{"proposal_id", "prop_2"}}, proposal_was("withdrawn")));
    const json submit{{"rfp_id", "rfp_1"}};
    const auto rfp = [](const char* event) {
        return json{{"type", "rfp.event"}, {"event", event}, {"rfp_id", "rfp_1"}};
    };
    CHECK(is_void("proposal.submit", submit, rfp("cancelled")));
    CHECK_FALSE(is_void("proposal.submit", submit, rfp("deadline_extended")));
}

TEST_CASE("A yes to anything that an operation changes at the market makes a call of the market") {
    trade::register_actions();
    int calls = 0;
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (!platform::is_market_call(operation.action) || operation.hints.read_only) continue;
        CAPTURE(operation.action);
        CHECK_FALSE(consent::row_of(operation.action).market_lane.empty());
        ++calls;
    }
    CHECK(calls > 15);
    CHECK(consent::row_of(kReplyAction).market_lane.empty());
}

TEST_CASE("Calls about the same kind of thing have one lane, and others have another") {
    trade::register_actions();
    const auto lane = [](const char* action) { return consent::row_of(action).market_lane; };
    CHECK(lane("order.create") == lane("order.action"));
    CHECK(lane("works.publish") == lane("works.update"));
    CHECK(lane("works.update") == lane("works.delete"));
    CHECK(lane("proposal.submit") == lane("proposal.update"));
    CHECK(lane("works.publish") != lane("discussion.publish"));
    CHECK(lane("order.create") != lane("works.publish"));
}
