// The calls that are refused before they are made, and the questions to the human.

#include "daemon/trade/checks.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/catalogue/operations.h"
#include "core/domain/order.h"
#include "daemon/trade/questions.h"
#include "tests/support/fake_platform.h"
#include "tests/support/order_actions.h"

using namespace a2h;
using nlohmann::json;
using trade::check_call;
using trade::Facts;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

const std::string kOrder = "GET /findu-trade/api/v1/orders/WKS1/detail";
const std::string kPost = "GET /findu-user/api/v1/user/works/w1/detail";
const std::string kCustomer = "GET /v1/agents/ag_bob";
const std::string kProfile = "GET /findu-user/api/v1/user/profile/public";

struct Scene {
    test::FakePlatform platform{kNow};

    Result<Facts> check(std::string_view action, const json& arguments, bool ours = true) {
        return check_call({platform.client(), action, arguments, ours, kNow});
    }
    ErrorCode refusal(std::string_view action, const json& arguments, bool ours = true) {
        const auto facts = check(action, arguments, ours);
        REQUIRE_FALSE(facts.has_value());
        return facts.error().code;
    }
    void order(OrderState state, OrderRole role) {
        platform.answer(kOrder, {{"orderId", "WKS1"},
                                 {"status", to_string(state)},
                                 {"currentType", static_cast<int>(role)},
                                 {"title", "Portrait"},
                                 {"price", 28'000},
                                 {"currency", "CNY"},
                                 {"providerId", "u-17"},
                                 {"customerId", "u-18"},
                                 {"profile", {{"nickname", "Bob"}}}});
    }
};

json action_call(OrderAction action) {
    return {{"order_id", "WKS1"}, {"action", to_string(action)}};
}

const json kNewOrder{{"customer_id", "ag_bob"}, {"title", "Portrait"}, {"content", "One hour"},
                     {"price_cent", 28'000},    {"currency", "CNY"},   {"product_id", "w1"},
                     {"order_type", 3}};

json with(json object, const char* name, const json& value) {
    object[name] = value;
    return object;
}

}  // namespace

TEST_CASE("at our market every step is allowed exactly where the state machine allows it (R13)") {
    Scene s;
    for (const OrderState state : kOrderStates) {
        for (const OrderRole role : {OrderRole::Customer, OrderRole::Provider}) {
            for (const OrderAction action : test::kOrderActions) {
                CAPTURE(to_string(state));
                CAPTURE(to_string(action));
                s.order(state, role);
                const auto facts = s.check("order.action", action_call(action));
                const auto move = move_order(state, action, role);
                CHECK(facts.has_value() == move.has_value());
                if (facts) CHECK(facts->done_json.empty() != move->repeated);
                if (!facts) CHECK(facts.error().message == move.error().message);
            }
        }
    }
}

TEST_CASE("a refused step names the steps that are allowed") {
    Scene s;
    s.order(OrderState::PendingConfirm, OrderRole::Customer);
    const auto refused = s.check("order.action", action_call(OrderAction::ConfirmServiceCompleted));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("reject") != std::string::npos);
}

TEST_CASE("at the public platform only the wrong side and final states are refused (R13)") {
    Scene s;
    s.order(OrderState::Confirmed, OrderRole::Provider);
    CHECK(s.check("order.action", action_call(OrderAction::Cancel), false));
    CHECK(s.refusal("order.action", action_call(OrderAction::Cancel)) == ErrorCode::Conflict);
    CHECK(s.refusal("order.action", action_call(OrderAction::Confirm), false) ==
          ErrorCode::PermissionDenied);
    s.order(OrderState::Completed, OrderRole::Provider);
    CHECK(s.refusal("order.action", action_call(OrderAction::Cancel), false) ==
          ErrorCode::Conflict);
}

TEST_CASE("nothing is done with an order whose status or side is not known (R11)") {
    Scene s;
    s.platform.answer(kOrder, {{"status", "FROZEN"}, {"currentType", 1}});
    CHECK(s.refusal("order.action", action_call(OrderAction::Confirm)) == ErrorCode::Corrupt);
    s.platform.answer(kOrder, {{"status", "PAID"}, {"currentType", 3}});
    CHECK(s.refusal("order.action", action_call(OrderAction::Confirm), false) ==
          ErrorCode::Corrupt);
    s.platform.refuse(kOrder, 404, "PLATFORM_410");
    CHECK(s.refusal("order.action", action_call(OrderAction::Confirm)) == ErrorCode::NotFound);
}

TEST_CASE("an order is plain when title and content are its listing's, letter by letter") {
    Scene s;
    const json post{{"worksId", "w1"},       {"type", 3},
                    {"agentId", "ag_self"},  {"title", "Portrait"},
                    {"content", "One hour"}, {"extendInfo", R"({"currency":"CNY"})"}};
    const auto is_plain = [&](const json& call) {
        return s.check("order.create", call).value().is_plain;
    };
    s.platform.answer(kPost, post);
    s.platform.answer(kCustomer, {{"agent_id", "ag_bob"}});
    CHECK(is_plain(kNewOrder));
    CHECK_FALSE(is_plain(with(kNewOrder, "title", "Portrait and album")));
    CHECK_FALSE(is_plain(with(kNewOrder, "content", "One hour, and all later ones free")));
    CHECK_FALSE(is_plain(with(kNewOrder, "content", "one hour")));

    const json order{{"orderId", "WKS1"},   {"status", "PENDING_CONFIRM"}, {"currentType", 1},
                     {"title", "Portrait"}, {"content", "One hour"},       {"price", 28'000},
                     {"currency", "CNY"},   {"productId", "w1"},           {"providerId", "u-17"},
                     {"customerId", "u-18"}};
    const auto confirms_plainly = [&](const json& seen) {
        s.platform.answer(kOrder, seen);
        return s.check("order.action", action_call(OrderAction::Confirm)).value().is_plain;
    };
    CHECK(confirms_plainly(order));
    CHECK_FALSE(confirms_plainly(with(order, "content", "One hour, prepaid")));
    CHECK_FALSE(confirms_plainly(with(order, "title", "Portraits")));
    CHECK_FALSE(confirms_plainly(with(order, "productId", "")));
    s.platform.refuse(kPost, 404, "PLATFORM_410");
    CHECK_FALSE(confirms_plainly(order));
}

TEST_CASE("an order needs the right listing of the right side in the right currency") {
    Scene s;
    const auto post = [&](int type, const char* owner, const char* currency) {
        s.platform.answer(kPost, {{"worksId", "w1"},
                                  {"type", type},
                                  {"agentId", owner},
                                  {"extendInfo", json{{"currency", currency}}.dump()}});
    };
    post(3, "ag_self", "CNY");
    s.platform.answer(kCustomer, {{"agent_id", "ag_bob"}});
    const auto facts = s.check("order.create", kNewOrder);
    REQUIRE_MESSAGE(facts, (facts ? "" : facts.error().message));
    CHECK(facts->peer_id == "ag_bob");
    CHECK(facts->amount == Money{28'000, "CNY"});
    CHECK(s.refusal("order.create", with(kNewOrder, "currency", "USD")) ==
          ErrorCode::InvalidArgument);
    CHECK(s.refusal("order.create", with(kNewOrder, "order_type", 2)) ==
          ErrorCode::InvalidArgument);
    CHECK(s.refusal("order.create", with(kNewOrder, "customer_id", "ag_self")) ==
          ErrorCode::InvalidArgument);
    post(3, "ag_eve", "CNY");
    CHECK(s.refusal("order.create", kNewOrder) == ErrorCode::InvalidArgument);
    post(2, "ag_bob", "CNY");
    CHECK(s.check("order.create", with(kNewOrder, "order_type", 2)));
    s.platform.refuse(kPost, 404, "PLATFORM_410");
    CHECK(s.refusal("order.create", kNewOrder) == ErrorCode::NotFound);
}

TEST_CASE(
    "R48: an order for an agent that our market does not know is refused before it is asked") {
    Scene s;
    s.platform.answer(kPost, {{"worksId", "w1"}, {"type", 3}, {"agentId", "ag_self"}});
    s.platform.refuse(kCustomer, 404, "PLATFORM_410");
    CHECK(s.refusal("order.create", kNewOrder) == ErrorCode::NotFound);
    CHECK(s.check("order.create", kNewOrder, false));  // another market may not say whom it knows
}

TEST_CASE("a listing has one price: in words, fixed, or a range") {
    Scene s;
    const json post{{"type", 3}, {"title", "T"}, {"content", "C"}};
    const auto price = [&](const json& more) {
        json arguments = post;
        arguments.update(more);
        const auto facts = s.check("works.publish", arguments);
        return facts ? facts->price : std::string("refused");
    };
    CHECK(price(json::object()) == "");
    CHECK(price({{"expected_price", "280 a piece"}}) == "280 a piece");
    CHECK(price({{"price_type", "FIXED"}, {"currency", "CNY"}, {"fixed_price", 28'000}}) ==
          "280.00 CNY");
    CHECK(price({{"price_type", "NEGOTIABLE"},
                 {"currency", "USD"},
                 {"price_min", 100},
                 {"price_max", 200}}) == "1.00 USD - 2.00 USD");
    for (const json& wrong : {json{{"fixed_price", 1}}, json{{"currency", "CNY"}},
                              json{{"price_type", "FIXED"}, {"fixed_price", 1}},
                              json{{"price_type", "FIXED"}, {"currency", "CNY"}},
                              json{{"price_type", "NEGOTIABLE"}, {"currency", "CNY"}},
                              json{{"price_type", "NEGOTIABLE"},
                                   {"currency", "CNY"},
                                   {"price_min", 2},
                                   {"price_max", 1}},
                              json{{"price_type", "FIXED"},
                                   {"currency", "CNY"},
                                   {"fixed_price", 1},
                                   {"expected_price", "2"}}}) {
        CAPTURE(wrong.dump());
        CHECK(price(wrong) == "refused");
    }
}

TEST_CASE("only the own listing is changed, in its type, and with one price afterwards") {
    Scene s;
    const json change{{"works_id", "w1"}, {"type", 3}, {"title", "New"}};
    const auto post = [&](const char* owner, const json& info) {
        s.platform.answer(
            kPost, {{"type", 3}, {"agentId", owner}, {"title", "Old"}, {"extendInfo", info}});
    };
    post("ag_eve", json::object());
    CHECK(s.refusal("works.update", change) == ErrorCode::PermissionDenied);
    CHECK(s.refusal("works.delete", {{"works_id", "w1"}}) == ErrorCode::PermissionDenied);
    post("ag_self", {{"expectedPrice", "280 CNY"}});
    CHECK(s.refusal("works.update", with(change, "type", 2)) == ErrorCode::InvalidArgument);
    s.platform.answer(kPost, {{"type", 4}, {"agentId", "ag_self"}, {"title", "A discussion"}});
    CHECK(s.refusal("works.update", change) == ErrorCode::InvalidArgument);
    post("ag_self", {{"expectedPrice", "280 CNY"}});
    json priced = change;
    priced.update({{"price_type", "FIXED"}, {"currency", "CNY"}, {"fixed_price", 30'000}});
    const auto facts = s.check("works.update", priced);
    REQUIRE(facts);
    CHECK(facts->title == "Old");
    CHECK(json::parse(facts->request_json)["expected_price"] == "300.00 CNY");
    post("ag_self", {{"priceType", "FIXED"}, {"currency", "CNY"}, {"fixedPrice", 1}});
    CHECK(s.refusal("works.update", with(change, "expected_price", "5")) ==
          ErrorCode::InvalidArgument);
    CHECK(json::parse(s.check("works.update", change)->request_json) == change);
}

TEST_CASE("a payment code must be there before it becomes the default or is removed") {
    Scene s;
    s.platform.answer(kProfile, {{"alipayQrcodeUrl", "https://x/a.png"}, {"paymentQrcodeUrl", ""}});
    CHECK(s.check("profile.set_default_payment", {{"type", "alipay"}}));
    CHECK(s.refusal("profile.set_default_payment", {{"type", "wechat_pay"}}) ==
          ErrorCode::NotFound);
    CHECK(s.refusal("profile.delete_qrcode", json::object()) == ErrorCode::NotFound);
}

TEST_CASE("either side may ask for the payment link of a confirmed order that is not in CNY") {
    Scene s;
    const json call{{"order_id", "WKS1"}};
    s.order(OrderState::Confirmed, OrderRole::Provider);
    CHECK(s.refusal("payment.create_link", call) == ErrorCode::InvalidArgument);
    const auto dollars = [&](const char* status, int role) {
        s.platform.answer(
            kOrder,
            {{"status", status}, {"currentType", role}, {"price", 100}, {"currency", "USD"}});
    };
    dollars("CONFIRMED", 2);
    CHECK(s.check("payment.create_link", call));
    dollars("CONFIRMED", 1);
    CHECK(s.check("payment.create_link", call));
    dollars("PENDING_CONFIRM", 2);
    CHECK(s.refusal("payment.create_link", call) == ErrorCode::Conflict);
    CHECK(s.check("payment.create_link", call, false));
}

TEST_CASE("a deadline lies in the future and is only moved further away (R23)") {
    Scene s;
    const std::string later = to_utc_time(kNow + 60'000);
    const std::string latest = to_utc_time(kNow + 120'000);
    const json rfp{{"title", "T"}, {"description", "D"}, {"capability_type", "c"}};
    CHECK(s.check("rfp.create", rfp));
    CHECK(s.check("rfp.create", with(rfp, "deadline_at", later)));
    for (const char* wrong : {"2020-01-01T00:00:00Z", "tomorrow", "2030-01-01"}) {
        CHECK(s.refusal("rfp.create", with(rfp, "deadline_at", wrong)) ==
              ErrorCode::InvalidArgument);
    }
    const auto open = [&](const char* creator, const char* status) {
        s.platform.answer(
            "GET /v1/rfps/r1",
            {{"creator_agent_id", creator}, {"status", status}, {"deadline_at", latest}});
    };
    open("ag_self", "open");
    CHECK(s.refusal("rfp.update", {{"rfp_id", "r1"}}) == ErrorCode::InvalidArgument);
    CHECK(s.check("rfp.update", {{"rfp_id", "r1"}, {"status", "closed"}}));
    CHECK(s.check("rfp.update", {{"rfp_id", "r1"}, {"deadline_at", latest}}));
    CHECK(s.refusal("rfp.update", {{"rfp_id", "r1"}, {"deadline_at", later}}) ==
          ErrorCode::InvalidArgument);
    open("ag_self", "cancelled");
    CHECK(s.refusal("rfp.update", {{"rfp_id", "r1"}, {"status", "closed"}}) == ErrorCode::Conflict);
    open("ag_bob", "open");
    CHECK(s.refusal("rfp.update", {{"rfp_id", "r1"}, {"status", "closed"}}) ==
          ErrorCode::PermissionDenied);
}

TEST_CASE("a proposal needs an open request of somebody else, before its deadline") {
    Scene s;
    const json call{{"rfp_id", "r1"}, {"price", {{"currency", "CNY"}, {"amount", 5000}}}};
    const auto rfp = [&](const char* creator, const char* status, UnixMs deadline_ms) {
        s.platform.answer("GET /v1/rfps/r1", {{"creator_agent_id", creator},
                                              {"status", status},
                                              {"title", "Review"},
                                              {"deadline_at", to_utc_time(deadline_ms)}});
    };
    rfp("ag_bob", "open", kNow + 1'000);
    const auto facts = s.check("proposal.submit", call);
    REQUIRE(facts);
    CHECK(facts->amount == Money{500'000, "CNY"});
    CHECK(facts->peer_id == "ag_bob");
    CHECK(s.refusal("proposal.submit", with(call, "price", {{"currency", "CNY"}, {"amount", 0}})) ==
          ErrorCode::InvalidArgument);
    rfp("ag_bob", "open", kNow);
    CHECK(s.refusal("proposal.submit", call) == ErrorCode::Conflict);
    rfp("ag_bob", "closed", kNow + 1'000);
    CHECK(s.refusal("proposal.submit", call) == ErrorCode::Conflict);
    rfp("ag_self", "open", kNow + 1'000);
    CHECK(s.refusal("proposal.submit", call) == ErrorCode::PermissionDenied);
}

TEST_CASE("only the right side may move a proposal, and only accepting needs a yes (R12, R24)") {
    Scene s;
    const auto proposal = [&](const char* supplier, const char* status) {
        s.platform.answer("GET /v1/proposals/p1",
                          {{"supplier_agent_id", supplier},
                           {"status", status},
                           {"rfp_id", "r1"},
                           {"price", {{"currency", "CNY"}, {"amount", 19.99}}}});
    };
    const auto call = [](const char* status) {
        return json{{"proposal_id", "p1"}, {"status", status}};
    };
    proposal("ag_bob", "pending");
    CHECK(s.refusal("proposal.update", call("accepted")) == ErrorCode::NotFound);
    s.platform.answer("GET /v1/rfps/r1", {{"rfp_id", "r1"}, {"title", "Review"}});
    CHECK(s.check("proposal.update", call("accepted"))->amount == Money{1'999, "CNY"});
    CHECK(s.check("proposal.update", call("accepted"))->title == "Review");
    CHECK(s.refusal("proposal.update", call("withdrawn")) == ErrorCode::PermissionDenied);
    proposal("ag_self", "pending");
    CHECK(s.check("proposal.update", call("withdrawn")));
    CHECK(s.refusal("proposal.update", call("accepted")) == ErrorCode::PermissionDenied);
    proposal("ag_bob", "withdrawn");
    CHECK(s.refusal("proposal.update", call("accepted")) == ErrorCode::Conflict);
    CHECK(trade::needs_yes("proposal.update", call("accepted")));
    CHECK_FALSE(trade::needs_yes("proposal.update", call("rejected")));
    CHECK_FALSE(trade::needs_yes("proposal.update", call("withdrawn")));
}

TEST_CASE("a deal's data at the market is shown whole, and its texts are not amounts") {
    Scene s;
    s.platform.answer("GET /v1/rfps/r1", {{"title", "Review"}, {"penalty", "RFP terms"}});
    json proposal{{"proposal_id", "p1"},
                  {"rfp_id", "r1"},
                  {"supplier_agent_id", "ag_bob"},
                  {"status", "pending"},
                  {"price", {{"currency", "CNY"}, {"amount", 700}}},
                  {"content", ""}};
    const json call{{"proposal_id", "p1"}, {"status", "accepted"}};
    s.platform.answer("GET /v1/proposals/p1", proposal);
    CHECK(s.check("proposal.update", call)->is_plain);
    SUBCASE("a day of delivery") {
        proposal["delivery_at"] = "the buyer pays 900 CNY on top";
    }
    SUBCASE("a member that nobody here knows") {
        proposal["terms"] = "the buyer pays 900 CNY on top";
    }
    SUBCASE("a member of the price") {
        proposal["price"]["per"] = "hour, and the buyer pays 900 CNY on top";
    }
    s.platform.answer("GET /v1/proposals/p1", proposal);
    const auto facts = s.check("proposal.update", call);
    REQUIRE(facts);
    CHECK_FALSE(facts->is_plain);
    REQUIRE(facts->seen.size() == 2);
    CHECK(facts->seen[0].second.find("pays 900 CNY on top") != std::string::npos);
    CHECK(facts->seen[1].second.find("RFP terms") != std::string::npos);
}

TEST_CASE("a text is not accepted as a day of delivery") {
    Scene s;
    s.platform.answer("GET /v1/rfps/r1", {{"creator_agent_id", "ag_bob"}, {"status", "open"}});
    const json call{{"rfp_id", "r1"}, {"price", {{"currency", "CNY"}, {"amount", 5000}}}};
    CHECK(s.check("proposal.submit", with(call, "delivery_at", "2026-12-01")));
    CHECK(s.refusal("proposal.submit", with(call, "delivery_at", "within 24 hours")) ==
          ErrorCode::InvalidArgument);
}

TEST_CASE("every action that needs a yes asks in both languages, with price and title") {
    const Facts facts{.done_json = {},
                      .peer = "ag_bob",
                      .peer_id = "ag_bob",
                      .title = "Portrait\nof Ann",
                      .price = {},
                      .order_id = {},
                      .works_id = {},
                      .amount = Money{28'000, "CNY"},
                      .context = {},
                      .needs_yes = false,
                      .request_json = {}};
    int asked = 0;
    for (const catalogue::Operation& row : catalogue::operations()) {
        json arguments{{"status", "accepted"}, {"type", "alipay"}, {"file", "qr.png"}};
        // Changed capabilities are asked for, which only the market's list can show.
        const bool may_ask = row.action == "capability.set";
        if (!may_ask && !trade::needs_yes(row.action, arguments)) continue;
        ++asked;
        CAPTURE(row.action);
        for (const OrderAction action : test::kOrderActions) {
            arguments["action"] = to_string(action);
            for (const auto language : {i18n::Language::English, i18n::Language::Chinese}) {
                const std::string text = trade::question(row.action, arguments, facts, language);
                CHECK(text.find('{') == std::string::npos);
                CHECK(text.find('\n') == std::string::npos);
                if (row.action.starts_with("order.")) {
                    CHECK(text.find("280.00 CNY") != std::string::npos);
                    CHECK(text.find("Portrait of Ann") != std::string::npos);
                    CHECK(text.find("ag_bob") != std::string::npos);
                }
            }
        }
    }
    CHECK(asked == 16);
}
