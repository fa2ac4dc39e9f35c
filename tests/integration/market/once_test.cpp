// Idempotency-Key: every endpoint that takes it, according to the market's own OpenAPI document.

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/ids.h"
#include "tests/integration/market/exchange.h"

using namespace a2h;
using nlohmann::json;
using platform::Account;
using test::Answer;
using test::server;

namespace {

const std::string kWorks = "/findu-user/api/v1/user/works/";
const std::string kOrders = "/findu-trade/api/v1/orders/";
const std::string kActions = kOrders + "{order_id}/";

/// A request that can be done, and another one for the same path.
struct Row {
    std::string pattern;  ///< as the OpenAPI document names it, with the method
    const Account* agent;
    std::string path;
    json body;
    json other;
};

Answer send_once(const Row& row, const std::string& key, const json& body) {
    auto request = test::plain_request(*row.agent, row.pattern.substr(0, row.pattern.find(' ')),
                                       row.path, body.dump());
    request.headers.emplace_back("Idempotency-Key", key);
    return test::send(request);
}

json price(int amount, const std::string& currency = "CNY") {
    return {{"currency", currency}, {"amount", amount}};
}

/// A buyer and a seller, and one request for each endpoint that takes the key.
struct Scene {
    std::string type = test::unique("type");
    Account buyer = test::plain_agent(server(), "Buyer");
    Account seller = test::supplier("Seller", type, {});
    std::string service = made(seller, kWorks + "change-requests", works("a"), "worksId");
    std::string rfp = "/v1/rfps/" + test::new_rfp(buyer, type, {});
    std::string proposal = test::offer(seller, "/v1/rfps/" + test::new_rfp(buyer, type, {}), 5);
    std::string session = "/v1/sessions/" + made(buyer, "/v1/sessions",
                                                 {{"agent_id", seller.agent_id}}, "session_id");

    static std::string made(const Account& agent, const std::string& path, const json& body,
                            const std::string& id) {
        const auto answer = test::call(agent, "POST", path, body);
        REQUIRE_MESSAGE(answer.status == 200, answer.text);
        return answer.data()[id];
    }
    static json works(const std::string& title) {
        return {{"type", 3}, {"title", title}, {"content", "c"}};
    }
    static json address(const std::string& city) {
        return {{"receiverName", "r"}, {"phoneNumber", "1"}, {"province", "p"},
                {"city", city},        {"district", "d"},    {"detailAddress", "a"}};
    }
    json order(const std::string& title) const {
        return {{"customerId", buyer.agent_id}, {"title", title}, {"price", 1}, {"currency", "USD"},
                {"productId", service},         {"orderType", 3}};
    }
    /// A new order after `moves` of buyer ("b:") and seller ("s:").
    std::string order_after(const std::vector<std::string>& moves) const {
        const std::string id = made(seller, kOrders + "create", order("t"), "orderId");
        for (const std::string& move : moves) {
            const Account& agent = move[0] == 'b' ? buyer : seller;
            made(agent, kOrders + id + "/" + move.substr(2), json::object(), "orderId");
        }
        return id;
    }
    Row action(const Account& agent, const std::string& name,
               const std::vector<std::string>& before) const {
        return {"POST " + kActions + name,
                &agent,
                kOrders + order_after(before) + "/" + name,
                json::object(),
                {{"reason", "another body"}}};
    }
    std::vector<Row> rows() const {
        const json draft{{"title", "t"}, {"description", "d"}, {"capability_type", type}};
        json other_draft = draft;
        other_draft["title"] = "u";
        const auto text = [](const char* words) {
            return json{{"payload", {{"type", "text"}, {"text", words}}}};
        };
        const json offer{{"payload", {{"type", "offer"}, {"price", price(3)}, {"summary", "s"}}}};
        const std::string replies = kWorks + "{user_id}/{works_id}/replies";
        const std::string messages = "/v1/sessions/{session_id}/messages";
        const std::string other = order_after({"b:confirm"});
        return {
            {"POST " + kWorks + "change-requests", &seller, kWorks + "change-requests", works("b"),
             works("c")},
            {"POST " + replies,
             &buyer,
             kWorks + seller.agent_id + "/" + service + "/replies",
             {{"content", "one"}},
             {{"content", "two"}}},
            {"POST /findu-user/api/v1/user/shipping-address", &buyer,
             "/findu-user/api/v1/user/shipping-address", address("x"), address("y")},
            {"POST " + kOrders + "create", &seller, kOrders + "create", order("a"), order("b")},
            {"POST /findu-trade/api/v1/payment/paypal/checkout",
             &seller,
             "/findu-trade/api/v1/payment/paypal/checkout",
             {{"orderId", order_after({"b:confirm"})}},
             {{"orderId", other}}},
            {"PUT /v1/agents/{agent_id}/capabilities",
             &buyer,
             "/v1/agents/" + buyer.agent_id + "/capabilities",
             {{"capabilities", json::array()}},
             {{"capabilities", json::array({{{"type", "t"}}})}}},
            {"PUT /v1/agents/{agent_id}/profile",
             &buyer,
             "/v1/agents/" + buyer.agent_id + "/profile",
             {{"tags", {"a"}}},
             {{"tags", {"b"}}}},
            {"POST /v1/rfps", &buyer, "/v1/rfps", draft, other_draft},
            {"POST /v1/rfps/{rfp_id}/proposals",
             &seller,
             rfp + "/proposals",
             {{"price", price(3)}},
             {{"price", price(4)}}},
            {"PATCH /v1/rfps/{rfp_id}",
             &buyer,
             rfp,
             {{"status", "closed"}},
             {{"status", "cancelled"}}},
            {"PATCH /v1/proposals/{proposal_id}",
             &buyer,
             "/v1/proposals/" + proposal,
             {{"status", "accepted"}},
             {{"status", "rejected"}}},
            {"POST /v1/sessions",
             &buyer,
             "/v1/sessions",
             {{"agent_id", seller.agent_id}},
             {{"proposal_id", proposal}}},
            {"POST " + messages, &seller, session + "/messages", text("one"), text("two")},
            {"POST " + messages, &seller, session + "/messages", offer, text("two")},
            action(buyer, "confirm", {}),
            action(buyer, "reject", {}),
            action(seller, "cancel", {}),
            action(seller, "confirm-received", {"b:confirm"}),
            action(buyer, "confirm-service-completed", {"b:confirm", "s:confirm-received"}),
        };
    }
};

/// "METHOD /pattern" of all that take the header.
std::set<std::string> documented_rows() {
    std::set<std::string> all;
    const auto document = test::send({.url = server().url() + "/openapi.json"}).body;
    for (const auto& [path, operations] : document["paths"].items()) {
        for (const auto& [method, operation] : operations.items()) {
            for (const json& parameter : operation["parameters"]) {
                if (parameter["name"] != "Idempotency-Key") continue;
                std::string upper = method;
                std::transform(upper.begin(), upper.end(), upper.begin(),
                               [](char c) { return static_cast<char>(c - 'a' + 'A'); });
                all.insert(upper + " " + path);
            }
        }
    }
    return all;
}

}  // namespace

TEST_CASE("every endpoint with an idempotency key acts once and refuses another request") {
    const Scene scene;
    std::set<std::string> walked;
    for (const Row& row : scene.rows()) {
        CAPTURE(row.pattern);
        const std::string key = random_hex(8);
        const auto first = send_once(row, key, row.body);
        CHECK_MESSAGE(first.status == 200, first.text);
        CHECK(send_once(row, key, row.body).text == first.text);
        Row elsewhere = row;
        if (row.body.empty()) elsewhere.path = kOrders + scene.order_after({}) + "/cancel";
        const auto refused = send_once(elsewhere, key, row.other);
        CHECK_MESSAGE(refused.status == 409, refused.text);
        CHECK(send_once(row, std::string(129, 'k'), row.body).status == 400);
        CHECK(send_once(row, key, row.body).text == first.text);
        walked.insert(row.pattern);
    }
    CHECK(walked == documented_rows());
}

TEST_CASE("the same key creates a resource once, and a new key creates another") {
    const Scene scene;
    const std::string replies = kWorks + "public/" + scene.service + "/replies";
    const auto count = [&](const Account& agent, const std::string& path) {
        return test::call(agent, "GET", path).data()["items"].size();
    };
    const std::vector<std::pair<std::string, std::string>> lists{
        {"POST " + kWorks + "change-requests", kWorks + "public"},
        {"POST " + kWorks + "{user_id}/{works_id}/replies", replies},
        {"POST /findu-user/api/v1/user/shipping-address",
         "/findu-user/api/v1/user/shipping-address"},
        {"POST /v1/rfps", "/v1/rfps"},
        {"POST /v1/sessions/{session_id}/messages", scene.session + "/messages"}};
    for (const Row& row : scene.rows()) {
        for (const auto& [pattern, list] : lists) {
            if (row.pattern != pattern) continue;
            CAPTURE(pattern);
            const auto before = count(*row.agent, list);
            send_once(row, "one-" + random_hex(4), row.body);
            CHECK(count(*row.agent, list) == before + 1);
            const std::string key = random_hex(8);
            send_once(row, key, row.body);
            send_once(row, key, row.body);
            CHECK(count(*row.agent, list) == before + 2);
        }
    }
}

TEST_CASE("a repeated checkout checks its key even if the order has a link") {
    const Scene scene;
    const std::string checkout = "/findu-trade/api/v1/payment/paypal/checkout";
    const std::string one = scene.order_after({"b:confirm"});
    const std::string two = scene.order_after({"b:confirm"});
    const Row row{"POST " + checkout, &scene.seller, checkout, {{"orderId", one}}, nullptr};
    const auto link = test::call(scene.buyer, "POST", checkout, row.body);
    REQUIRE(link.status == 200);
    const auto first = send_once(row, "c1", row.body);
    CHECK(first.data() == link.data());
    CHECK(send_once(row, "c1", {{"orderId", two}}).status == 409);
    // The first answer, although a paid order gets no link.
    REQUIRE(test::call(scene.seller, "POST", kOrders + one + "/confirm-received", json::object())
                .status == 200);
    CHECK(send_once(row, "c1", row.body).text == first.text);
    CHECK(send_once(row, "c2", row.body).status == 409);
}
