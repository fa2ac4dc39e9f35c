#include "daemon/trade/calls.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/trade/actions.h"
#include "tests/support/fake_platform.h"
#include "tests/unit/trade/yes_to.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

const std::string kProfile = "GET /findu-user/api/v1/user/profile/public";
const std::string kChange = "POST /findu-user/api/v1/user/profile/change-requests";

struct Scene {
    test::FakePlatform platform{kNow};

    Result<json> call(std::string_view action, const json& arguments) {
        trade::register_actions();
        const Approval yes = test::yes_to(action, arguments);
        trade::CallContext call{platform.client(), action, arguments, true, kNow};
        call.yes = &yes;
        return trade::make_call(call);
    }
};

}  // namespace

TEST_CASE("data is always an object, whatever the platform sends") {
    Scene s;
    const std::string list = "GET /findu-user/api/v1/user/shipping-address";
    s.platform.answer(list, json::array({{{"id", 1}}}));
    CHECK(s.call("address.list", json::object()).value() == json{{"items", {{{"id", 1}}}}});
    s.platform.answer(list, nullptr);
    CHECK(s.call("address.list", json::object()).value() == json::object());
    s.platform.answer(list, true);
    CHECK(s.call("address.list", json::object()).value() == json{{"value", true}});
}

TEST_CASE("R18: an answer that does not name what was created or changed counts as lost") {
    Scene s;
    const std::string sessions = "POST /v1/sessions";
    const json partner{{"agent_id", "ag_buyer"}};
    for (const json& nothing : {json(), json::object(), json{{"hello", json::array()}}}) {
        s.platform.answer(sessions, nothing);
        const auto made = s.call("session.create", partner);
        REQUIRE_FALSE(made);
        CHECK(made.error().code == ErrorCode::Timeout);
    }
    s.platform.answer(sessions, {{"session_id", "ses_1"}});
    CHECK(s.call("session.create", partner));
    const std::string move = "POST /findu-trade/api/v1/orders/WKS1/confirm";
    s.platform.answer(move, {{"orderId", "WKS2"}});
    CHECK_FALSE(s.call("order.action", {{"order_id", "WKS1"}, {"action", "confirm"}}));
    s.platform.answer(move, {{"orderId", "WKS1"}});
    CHECK(s.call("order.action", {{"order_id", "WKS1"}, {"action", "confirm"}}));
}

TEST_CASE("extendInfo is an object, also where the platform sends its text") {
    Scene s;
    s.platform.answer("POST /findu-match/api/v1/inner/match/works_search",
                      {{"result",
                        {{{"worksId", "w1"}, {"extendInfo", R"({"expectedPrice":"5"})"}},
                         {{"worksId", "w2"}, {"extendInfo", {{"expectedPrice", "6"}}}},
                         {{"worksId", "w3"}, {"extendInfo", "no json"}}}}});
    const json rows = s.call("works.search", {{"keyword", "x"}}).value()["result"];
    CHECK(rows[0]["extendInfo"]["expectedPrice"] == "5");
    CHECK(rows[1]["extendInfo"]["expectedPrice"] == "6");
    CHECK(rows[2]["extendInfo"] == "no json");
}

TEST_CASE("the ways to be paid come from the profile, with advice for the currency") {
    Scene s;
    s.platform.answer(kProfile, {{"alipayQrcodeUrl", "https://x/a.png"},
                                 {"paypalEmail", nullptr},
                                 {"defaultPaymentMethod", "alipay"}});
    const json data = s.call("payment.methods", {{"order_currency", "cny"}}).value();
    CHECK(data["default_method"] == "alipay");
    CHECK(data["methods"][0] == json{{"type", "alipay"},
                                     {"currency", "CNY"},
                                     {"ready", true},
                                     {"payment_qr", "https://x/a.png"}});
    CHECK(data["methods"][3]["ready"] == false);
    const auto routing = [&](const char* currency) {
        return s.call("payment.methods", {{"order_currency", currency}})
            .value()["routing"]
            .get<std::string>();
    };
    CHECK(routing("CNY").find("a2h_send") != std::string::npos);
    CHECK(routing("USD").find("no PayPal") != std::string::npos);
    CHECK(routing("EUR").find("EUR") != std::string::npos);
}

TEST_CASE("when the default payment code is removed, the first remaining one follows") {
    Scene s;
    s.platform.answer(kChange, {{"changeRequestId", 1}, {"status", 1}});
    s.platform.answer(kProfile, {{"alipayQrcodeUrl", ""},
                                 {"wechatPayQrcodeUrl", "https://x/w.png"},
                                 {"defaultPaymentMethod", "alipay"}});
    const json data = s.call("profile.delete_qrcode", {{"type", "alipay"}}).value();
    CHECK(data["defaultPaymentMethod"] == "wechat_pay");
    CHECK(s.platform.count(kChange) == 2);
    CHECK(s.platform.seen().back().body ==
          json{{"key", "defaultPaymentMethod"}, {"value", "wechat_pay"}});
}

TEST_CASE("works.list shows one's own posts only, where the market lists everybody's, too") {
    Scene s;
    s.platform.answer(
        "GET /findu-user/api/v1/user/works/public",
        {{"items", {{{"worksId", "w1"}, {"agentId", "ag_else"}}, {{"worksId", "w2"}}}}});
    const auto own = s.call("works.list", {{"type", 4}});
    REQUIRE(own);
    REQUIRE((*own)["items"].size() == 1);
    CHECK((*own)["items"][0]["worksId"] == "w2");
    const auto all = s.call("discussion.list", json::object());
    REQUIRE(all);
    CHECK((*all)["items"].size() == 2);
}

TEST_CASE("discussion.list with a post asks for its replies") {
    Scene s;
    s.platform.answer("GET /findu-user/api/v1/user/works/public/w4/replies",
                      {{"items", json::array()}});
    CHECK(s.call("discussion.list", {{"works_id", "w4"}}));
    CHECK(s.platform.seen().back().call ==
          "GET /findu-user/api/v1/user/works/public/w4/replies?pageNum=0&pageSize=20");
}

TEST_CASE("a refusal keeps its code, a lost answer is Timeout") {
    Scene s;
    const std::string call = "POST /findu-trade/api/v1/orders/WKS1/confirm";
    const json arguments{{"order_id", "WKS1"}, {"action", "confirm"}};
    s.platform.refuse(call, 403, "PLATFORM_401");
    CHECK(s.call("order.action", arguments).error().code == ErrorCode::PermissionDenied);
    s.platform.lose_answer(call);
    CHECK(s.call("order.action", arguments).error().code == ErrorCode::Timeout);
    CHECK(s.call("order.get", arguments).error().code == ErrorCode::NotFound);
}
