// The right of a call that changes something at the market.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/platform/client.h"
#include "daemon/consent/door.h"
#include "daemon/trade/actions.h"
#include "tests/support/fake_platform.h"
#include "tests/unit/trade/yes_to.h"

using namespace a2h;
using consent::Caller;
using consent::Door;
using nlohmann::json;

namespace {

constexpr const char* kSelf = test::FakePlatform::kAgent;
const json kOrder{
    {"customer_id", "ag_buyer"}, {"title", "T"},       {"content", "C"}, {"price_cent", 28'000},
    {"currency", "CNY"},         {"product_id", "w1"}, {"order_type", 3}};

platform::Request request_of(std::string_view action, const json& arguments) {
    trade::register_actions();
    return platform::make_request(action, arguments, kSelf).value();
}

bool is_given(std::string_view action, const json& arguments, std::string_view called,
              const Approval* yes) {
    return Door::permit(request_of(called, arguments), called, {kSelf, action, yes}).has_value();
}

}  // namespace

TEST_CASE("a yes gives the right to the call that it is about, and to no other") {
    Approval yes = test::yes_to("order.create", kOrder);
    CHECK(is_given("order.create", kOrder, "order.create", &yes));
    for (const auto& [name, other] : {std::pair<const char*, json>{"price_cent", 28'001},
                                      {"content", "C."},
                                      {"customer_id", "ag_other"},
                                      {"currency", "USD"},
                                      {"product_id", "w2"}}) {
        CAPTURE(name);
        json changed = kOrder;
        changed[name] = other;
        CHECK_FALSE(is_given("order.create", changed, "order.create", &yes));
    }
    CHECK_FALSE(is_given("order.create", {{"works_id", "w1"}}, "works.delete", &yes));
    CHECK_FALSE(is_given("works.delete", {{"works_id", "w1"}}, "works.delete", &yes));
    SUBCASE("it was not given") {
        yes.status = ApprovalStatus::Pending;
    }
    SUBCASE("it was a no") {
        yes.status = ApprovalStatus::Rejected;
    }
    SUBCASE("it is another agent's") {
        yes.agent_id = "ag_other";
    }
    CHECK_FALSE(is_given("order.create", kOrder, "order.create", &yes));
}

TEST_CASE("without a yes only calls that need none have a right") {
    CHECK(is_given("address.delete", {{"address_id", 5}}, "address.delete", nullptr));
    const json refusal{{"proposal_id", "p1"}, {"status", "rejected"}};
    const json acceptance{{"proposal_id", "p1"}, {"status", "accepted"}};
    CHECK(is_given("proposal.update", refusal, "proposal.update", nullptr));
    CHECK_FALSE(is_given("proposal.update", acceptance, "proposal.update", nullptr));
    CHECK_FALSE(is_given("order.create", kOrder, "order.create", nullptr));
    CHECK_FALSE(is_given("works.delete", {{"works_id", "w1"}}, "works.delete", nullptr));
    CHECK_FALSE(is_given("address.delete", {{"works_id", "w1"}}, "works.delete", nullptr));
}

TEST_CASE("a yes to a file is for its content") {
    const json arguments{{"file", "a.png"}, {"sha256", "abc"}};
    const Approval yes = test::yes_to("file.upload", arguments);
    trade::register_actions();
    CHECK(Door::permit_upload("abc", {kSelf, "file.upload", &yes}));
    CHECK_FALSE(Door::permit_upload("abd", {kSelf, "file.upload", &yes}));
    CHECK_FALSE(Door::permit_upload("abc", {kSelf, "order.create", &yes}));
}

TEST_CASE("the market's client sends nothing but what its permit is for") {
    test::FakePlatform platform{1'760'000'000'000};
    const Approval yes = test::yes_to("order.create", kOrder);
    const auto order = request_of("order.create", kOrder);
    const auto permit = Door::permit(order, "order.create", {kSelf, "order.create", &yes});
    REQUIRE(permit.has_value());
    platform.answer("POST /findu-trade/api/v1/orders/create", {{"orderId", "WKS1"}});
    CHECK(platform.client().write(order, *permit).has_value());
    auto dearer = order;
    dearer.body = dearer.body.replace(dearer.body.find("28000"), 5, "28001");
    const auto refused = platform.client().write(dearer, *permit);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::PermissionDenied);
    const auto read = platform.client().read("works.delete", {{"works_id", "w1"}});
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::PermissionDenied);
    CHECK(platform.seen().size() == 1);
}
