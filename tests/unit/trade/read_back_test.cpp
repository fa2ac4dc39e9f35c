// A lost answer is settled by what the market shows afterwards.

#include "daemon/trade/read_back.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "daemon/trade/actions.h"
#include "tests/support/fake_platform.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

const std::string kOwnPosts = "GET /findu-user/api/v1/user/works/public";
const std::string kPost = "GET /findu-user/api/v1/user/works/w1/detail";
const std::string kSales = "GET /findu-trade/api/v1/orders/sales-orders";
const std::string kProfile = "GET /findu-user/api/v1/user/profile/public";

struct Scene {
    test::FakePlatform platform{kNow};

    /// The text that was seen; empty if there was none.
    std::string seen(std::string_view action, const json& arguments) {
        trade::register_actions();
        const auto read_back = consent::row_of(action).read_back;
        if (read_back == nullptr) return "";
        const auto found = read_back({platform.client(), arguments, kNow});
        REQUIRE_MESSAGE(found.has_value(), found.error().message);
        return found->is_null() ? "" : found->dump();
    }
};

const json kOrder{{"title", "T"},
                  {"price_cent", 28'000},
                  {"currency", "CNY"},
                  {"product_id", "w1"},
                  {"customer_id", "ag_buyer"}};

json order_row(const char* title, const json& created_at) {
    return {{"orderId", "WKS1"},       {"title", title},          {"price", 28'000},
            {"currency", "CNY"},       {"productId", "w1"},       {"status", "PENDING_CONFIRM"},
            {"createdAt", created_at}, {"customerId", "ag_buyer"}};
}

}  // namespace

TEST_CASE("a new listing is found by title and text, but not an old one") {
    Scene s;
    const json post{{"type", 3}, {"title", "T"}, {"content", "C"}};
    const auto rows = [&](const json& row) { s.platform.answer(kOwnPosts, {{"items", {row}}}); };
    rows({{"worksId", "w1"}, {"title", "T"}, {"content", "C"}});
    CHECK(json::parse(s.seen("works.publish", post))["worksId"] == "w1");
    rows({{"worksId", "w1"}, {"title", "T"}, {"content", "other"}});
    CHECK(s.seen("works.publish", post) == "");
    rows({{"worksId", "w1"}, {"title", "T"}, {"content", "C"}, {"createdAt", kNow - 1}});
    CHECK(s.seen("works.publish", post) == "");
    // The list of discussions holds everybody's.
    rows({{"worksId", "w1"}, {"title", "T"}, {"content", "C"}, {"agentId", "ag_else"}});
    CHECK(s.seen("discussion.publish", post) == "");
}

TEST_CASE("a change took effect when every field that was sent is there") {
    Scene s;
    const json change{
        {"works_id", "w1"}, {"type", 3}, {"title", "T"}, {"expected_price", "300 CNY"}};
    const auto post = [&](const char* title, const char* price) {
        s.platform.answer(kPost, {{"worksId", "w1"},
                                  {"type", 3},
                                  {"title", title},
                                  {"content", "C"},
                                  {"extendInfo", json{{"expectedPrice", price}}.dump()}});
    };
    post("T", "300 CNY");
    CHECK(s.seen("works.update", change) != "");
    post("T", "280 CNY");
    CHECK(s.seen("works.update", change) == "");
    post("Old", "300 CNY");
    CHECK(s.seen("works.update", change) == "");
}

TEST_CASE("a listing that is gone was deleted") {
    Scene s;
    CHECK(json::parse(s.seen("works.delete", {{"works_id", "w1"}}))["deleted"] == true);
    s.platform.answer(kPost, {{"worksId", "w1"}});
    CHECK(s.seen("works.delete", {{"works_id", "w1"}}) == "");
}

TEST_CASE("a new order is found among the sales by all that was sent, and only a new one") {
    Scene s;
    const auto rows = [&](const json& row) { s.platform.answer(kSales, {{"list", {row}}}); };
    rows(order_row("T", to_utc_time(kNow)));
    CHECK(json::parse(s.seen("order.create", kOrder))["orderId"] == "WKS1");
    rows(order_row("T", kNow));
    CHECK(s.seen("order.create", kOrder) != "");
    rows(order_row("Other", kNow));
    CHECK(s.seen("order.create", kOrder) == "");
    rows(order_row("T", to_utc_time(kNow - 1'000)));
    CHECK(s.seen("order.create", kOrder) == "");
    json of_another = order_row("T", kNow);
    of_another["customerId"] = "ag_eve";
    rows(of_another);
    CHECK(s.seen("order.create", kOrder) == "");
    rows(order_row("T", nullptr));
    CHECK(s.seen("order.create", kOrder) == "");
}

TEST_CASE("a step of an order took effect when the order is where the step leads") {
    Scene s;
    const auto order = [&](const char* status) {
        s.platform.answer("GET /findu-trade/api/v1/orders/WKS1/detail", {{"status", status}});
    };
    const auto seen = [&](const char* action) {
        return s.seen("order.action", {{"order_id", "WKS1"}, {"action", action}}) != "";
    };
    order("CONFIRMED");
    CHECK(seen("confirm"));
    CHECK_FALSE(seen("confirm-received"));
    order("PAID");
    CHECK(seen("confirm-received"));
    CHECK_FALSE(seen("confirm"));
    order("CANCELLED");
    CHECK(seen("cancel"));
    CHECK_FALSE(seen("reject"));
}

TEST_CASE("payment data is read from the profile") {
    Scene s;
    s.platform.answer(kProfile,
                      {{"alipayQrcodeUrl", "https://x/a.png"}, {"defaultPaymentMethod", "alipay"}});
    CHECK(s.seen("profile.set_default_payment", {{"type", "alipay"}}) != "");
    CHECK(s.seen("profile.set_default_payment", {{"type", "qrcode"}}) == "");
    CHECK(s.seen("profile.delete_qrcode", {{"type", "wechat_pay"}}) != "");
    CHECK(s.seen("profile.delete_qrcode", {{"type", "alipay"}}) == "");
    CHECK(s.seen("profile.upload_qrcode", {{"type", "alipay"}, {"url", "https://x/a.png"}}) != "");
    CHECK(s.seen("profile.upload_qrcode", {{"type", "alipay"}, {"url", "https://x/b.png"}}) == "");
    CHECK(s.seen("profile.upload_qrcode", {{"type", "qrcode"}, {"file", "a.png"}}) == "");
}

TEST_CASE(
    "a new request for proposals is found by its words while it is open, but not an old one") {
    Scene s;
    const json call{{"title", "T"}, {"description", "D"}, {"capability_type", "photos"}};
    json row = call;
    row.update({{"rfp_id", "r1"}, {"status", "open"}, {"created_at", to_utc_time(kNow)}});
    const auto answer = [&] { s.platform.answer("GET /v1/rfps", {{"items", {row}}}); };
    answer();
    CHECK(json::parse(s.seen("rfp.create", call))["rfp_id"] == "r1");
    row["created_at"] = to_utc_time(kNow - 10'000);
    answer();
    CHECK(s.seen("rfp.create", call) == "");
    row.update({{"created_at", to_utc_time(kNow)}, {"description", "other"}});
    answer();
    CHECK(s.seen("rfp.create", call) == "");
    row.update({{"description", "D"}, {"status", "closed"}});
    answer();
    CHECK(s.seen("rfp.create", call) == "");
}

TEST_CASE("a changed request, capabilities and a payment link are found by what was asked for") {
    Scene s;
    s.platform.answer("GET /v1/rfps/r1",
                      {{"status", "closed"}, {"deadline_at", "2026-12-01T10:00:00Z"}});
    const auto changed = [&](json change) {
        change["rfp_id"] = "r1";
        return s.seen("rfp.update", change) != "";
    };
    CHECK(changed({{"status", "closed"}}));
    CHECK_FALSE(changed({{"status", "cancelled"}}));
    CHECK(changed({{"deadline_at", "2026-12-01T18:00:00+08:00"}}));
    CHECK_FALSE(changed({{"deadline_at", "2026-12-01T18:00:00Z"}}));
    CHECK_FALSE(changed({{"status", "closed"}, {"deadline_at", "2026-12-02T10:00:00Z"}}));

    const json photos{{"type", "photos"}, {"domains", {"weddings"}}};
    s.platform.answer("GET /v1/agents/ag_self", {{"capabilities", {photos}}});
    CHECK(s.seen("capability.set", {{"capabilities", {photos}}}) != "");
    CHECK(s.seen("capability.set", {{"capabilities", {{{"type", "photos"}}}}}) == "");
    CHECK(s.seen("capability.set", {{"capabilities", json::array()}}) == "");

    const std::string kStatus = "GET /findu-trade/api/v1/payment/status/WKS1";
    s.platform.answer(kStatus, {{"orderId", "WKS1"}, {"checkoutUrl", nullptr}});
    CHECK(s.seen("payment.create_link", {{"order_id", "WKS1"}}) == "");
    s.platform.answer(kStatus, {{"orderId", "WKS1"}, {"checkoutUrl", "https://x/pay"}});
    CHECK(s.seen("payment.create_link", {{"order_id", "WKS1"}}) != "");
}

TEST_CASE("a proposal is found by supplier, status and price; a move by the status") {
    Scene s;
    const json price{{"currency", "CNY"}, {"amount", 5000}};
    const json call{{"rfp_id", "r1"}, {"price", price}};
    const auto row = [&](const char* supplier, const char* status) {
        s.platform.answer("GET /v1/rfps/r1/proposals", {{"items",
                                                         {{{"proposal_id", "p1"},
                                                           {"supplier_agent_id", supplier},
                                                           {"status", status},
                                                           {"price", price}}}}});
    };
    row("ag_self", "pending");
    CHECK(s.seen("proposal.submit", call) != "");
    row("ag_eve", "pending");
    CHECK(s.seen("proposal.submit", call) == "");
    row("ag_self", "withdrawn");
    CHECK(s.seen("proposal.submit", call) == "");
    s.platform.answer("GET /v1/proposals/p1", {{"status", "accepted"}});
    CHECK(s.seen("proposal.update", {{"proposal_id", "p1"}, {"status", "accepted"}}) != "");
    CHECK(s.seen("proposal.update", {{"proposal_id", "p1"}, {"status", "rejected"}}) == "");
}

TEST_CASE("an effect without evidence stays unknown, and an unreachable market says so") {
    Scene s;
    CHECK(s.seen("file.upload", {{"file", "a.png"}}) == "");
    s.platform.refuse(kPost, 503, "503");
    const json arguments{{"works_id", "w1"}};
    const auto found = trade::deleted_post({s.platform.client(), arguments, kNow});
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::Unavailable);
}
