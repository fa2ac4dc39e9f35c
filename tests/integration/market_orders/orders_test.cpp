// Orders, payment and idempotency keys against a real a2h-market, over HTTP.

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "core/base/ids.h"
#include "tests/support/market_http.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;

namespace {

const std::string kOrders = "/findu-trade/api/v1/orders/";
const std::string kCheckout = "/findu-trade/api/v1/payment/paypal/checkout";
const std::string kStatus = "/findu-trade/api/v1/payment/status";

test::Market& server() {
    static test::TempDir dir;
    static test::Market running(dir.path());
    return running;
}

using Headers = std::vector<std::pair<std::string, std::string>>;

Answer call(const platform::Account& account, const std::string& method, const std::string& target,
            const std::string& body = {}, const Headers& headers = {}) {
    auto request = test::plain_request(account, method, target, body);
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    return test::send(request);
}
Answer post(const platform::Account& account, const std::string& target,
            const json& body = json::object(), const Headers& headers = {}) {
    return call(account, "POST", target, body.dump(), headers);
}
Answer get(const platform::Account& account, const std::string& target) {
    return call(account, "GET", target);
}
Answer call_unsigned(const std::string& url, const std::string& method) {
    http::ClientRequest request;
    request.url = url;
    request.method = method;
    return test::send(request);
}

/// A seller with a service post and a buyer with a demand post.
struct Trade {
    platform::Account seller = test::plain_agent(server(), "Seller");
    platform::Account buyer = test::plain_agent(server(), "Buyer");
    std::string service = publish(seller, 3);
    std::string demand = publish(buyer, 2);

    static std::string publish(const platform::Account& owner, int type) {
        const auto answer = post(owner, "/findu-user/api/v1/user/works/change-requests",
                                 {{"type", type}, {"title", "修电脑"}, {"content", "当天"}});
        REQUIRE_MESSAGE(answer.status == 200, answer.text);
        return answer.data()["worksId"];
    }
    json draft(const std::string& currency = "CNY") const {
        return {{"providerId", seller.agent_id},
                {"customerId", buyer.agent_id},
                {"title", "修电脑"},
                {"content", "今天下午"},
                {"price", 28000},
                {"currency", currency},
                {"productId", service},
                {"orderType", 3}};
    }
    std::string create(const std::string& currency = "CNY") const {
        const auto answer = post(seller, kOrders + "create", draft(currency));
        REQUIRE_MESSAGE(answer.status == 200, answer.text);
        return answer.data()["orderId"];
    }
    std::string state(const std::string& id) const {
        return get(seller, kOrders + id + "/detail").data()["status"];
    }
};

Answer act(const platform::Account& account, const std::string& id, const std::string& action,
           const Headers& headers = {}) {
    return post(account, kOrders + id + "/" + action, json::object(), headers);
}

}  // namespace

TEST_CASE("an order passes through its states, and both sides see it with their role") {
    const Trade trade;
    const std::string id = trade.create();
    CHECK(id.starts_with("WKS"));
    CHECK(id.size() >= 33);
    const json detail = get(trade.buyer, kOrders + id + "/detail").data();
    CHECK(detail["currentType"] == 1);
    CHECK(detail["status"] == "PENDING_CONFIRM");
    CHECK(detail["price"] == 28000);
    CHECK(detail["currency"] == "CNY");
    CHECK(detail["profile"]["nickname"] == "Seller");
    CHECK(detail["gmtCreate"] == detail["createdAt"]);
    const json profile = get(trade.seller, "/findu-user/api/v1/user/profile/public").data();
    CHECK(detail["providerId"] == profile["userId"]);
    CHECK(get(trade.seller, kOrders + id + "/detail").data()["currentType"] == 2);
    CHECK(act(trade.buyer, id, "confirm").data()["status"] == "CONFIRMED");
    CHECK(act(trade.seller, id, "confirm-received").data()["status"] == "PAID");
    CHECK(act(trade.buyer, id, "confirm-service-completed").data()["status"] == "COMPLETED");
}

TEST_CASE("each side of an order sees the other one's name and picture") {
    const Trade trade;
    const std::string id = trade.create();
    const std::string bytes = "\x89PNG\r\n\x1a\n-picture";
    const auto signing = post(trade.seller, "/findu-oss/api/v1/oss_signurl/upload/sign",
                              {{"upload_type", "profile"},
                               {"file_name", "a.png"},
                               {"file_size", bytes.size()},
                               {"file_type", "image/png"}});
    const std::string url = signing.data()["upload_url"];
    REQUIRE(test::send({.method = "PUT",
                        .url = url,
                        .headers = {{"Content-Type", "image/png"}},
                        .body = bytes})
                .status == 200);
    const std::string picture = url.substr(0, url.find('?'));
    const auto before = get(trade.buyer, kOrders + id + "/detail").data()["profile"];
    const std::string& user_id = trade.seller.agent_id;
    CHECK(before == json{{"userId", user_id}, {"nickname", "Seller"}, {"avatarUrl", ""}});
    REQUIRE(post(trade.seller, "/findu-user/api/v1/user/profile/change-requests",
                 {{"key", "avatarUrl"}, {"value", picture}})
                .status == 200);
    const json seller{{"userId", user_id}, {"nickname", "Seller"}, {"avatarUrl", picture}};
    CHECK(get(trade.buyer, kOrders + id + "/detail").data()["profile"] == seller);
    CHECK(get(trade.buyer, kOrders + "purchase-orders").data()["list"][0]["profile"] == seller);
    const auto mine = get(trade.seller, kOrders + id + "/detail").data()["profile"];
    CHECK(mine == json{{"userId", trade.buyer.agent_id}, {"nickname", "Buyer"}, {"avatarUrl", ""}});
    const auto later = post(trade.seller, kOrders + "create", trade.draft());
    CHECK(later.data()["profile"]["nickname"] == "Buyer");
}

TEST_CASE("every action in every state by every role answers as R13 says") {
    const Trade trade;
    struct Step {
        const platform::Account& by;
        std::string action;
    };
    const std::map<std::string, std::vector<Step>> ways{
        {"PENDING_CONFIRM", {}},
        {"CONFIRMED", {{trade.buyer, "confirm"}}},
        {"PAID", {{trade.buyer, "confirm"}, {trade.seller, "confirm-received"}}},
        {"COMPLETED",
         {{trade.buyer, "confirm"},
          {trade.seller, "confirm-received"},
          {trade.buyer, "confirm-service-completed"}}},
        {"REJECTED", {{trade.buyer, "reject"}}},
        {"CANCELLED", {{trade.seller, "cancel"}}}};
    const std::map<std::string, std::array<std::string, 3>> moves{
        {"confirm", {"buyer", "PENDING_CONFIRM", "CONFIRMED"}},
        {"reject", {"buyer", "PENDING_CONFIRM", "REJECTED"}},
        {"cancel", {"seller", "PENDING_CONFIRM", "CANCELLED"}},
        {"confirm-received", {"seller", "CONFIRMED", "PAID"}},
        {"confirm-service-completed", {"buyer", "PAID", "COMPLETED"}}};
    for (const auto& [from, way] : ways) {
        for (const auto& [action, move] : moves) {
            for (const std::string role : {"buyer", "seller"}) {
                const std::string id = trade.create();
                for (const Step& step : way)
                    REQUIRE(act(step.by, id, step.action).status == 200);
                CAPTURE(from);
                CAPTURE(action);
                CAPTURE(role);
                const auto answer = act(role == "buyer" ? trade.buyer : trade.seller, id, action);
                if (role != move[0]) {
                    CHECK(answer.code() == "PLATFORM_401");
                    CHECK(trade.state(id) == from);
                } else if (from == move[1] || from == move[2]) {
                    CHECK(answer.data()["status"] == move[2]);
                    CHECK(trade.state(id) == move[2]);
                } else {
                    CHECK(answer.status == 409);
                    CHECK(trade.state(id) == from);
                }
            }
        }
    }
}

TEST_CASE(
    "two processes on one database let only one move of an order win, and both sides learn it") {
    const Trade trade;
    auto elsewhere = trade.seller;
    elsewhere.api_base = server().start_second_market();
    for (int i = 0; i < 20; ++i) {
        const std::string id = trade.create();
        std::optional<Answer> confirmed;
        std::optional<Answer> cancelled;
        {
            const std::jthread buyer([&] { confirmed = act(trade.buyer, id, "confirm"); });
            const std::jthread seller([&] { cancelled = act(elsewhere, id, "cancel"); });
        }
        CHECK(confirmed->status + cancelled->status == 200 + 409);
        const char* now = confirmed->status == 200 ? "CONFIRMED" : "CANCELLED";
        CHECK(trade.state(id) == now);
        CHECK(get(elsewhere, kOrders + id + "/detail").data()["status"] == now);
    }
}

TEST_CASE("another's order and none at all look the same") {
    const Trade trade;
    const auto stranger = test::plain_agent(server(), "Stranger");
    const std::string id = trade.create();
    const std::string none = "WKS00000000000000000000000000000000";
    for (const std::string end : {"/detail", "/confirm", "/cancel"}) {
        const std::string method = end == "/detail" ? "GET" : "POST";
        const auto foreign = call(stranger, method, kOrders + id + end);
        const auto missing = call(stranger, method, kOrders + none + end);
        CHECK(foreign.code() == "PLATFORM_410");
        CHECK(foreign.text == missing.text);
    }
    CHECK(get(stranger, kStatus + "/" + id).text == get(stranger, kStatus + "/" + none).text);
    CHECK(post(stranger, kCheckout, {{"orderId", id}}).code() == "PLATFORM_410");
    CHECK(get(stranger, kOrders + "sales-orders").data()["total"] == 0);
}

TEST_CASE("lists count from page 1, filter by status and do not overlap") {
    const Trade trade;
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i)
        ids.push_back(trade.create());
    REQUIRE(act(trade.buyer, ids[2], "reject").status == 200);
    std::set<std::string> seen;
    for (int page = 1; page <= 3; ++page) {
        const json data =
            get(trade.buyer, kOrders + "purchase-orders?pageSize=2&page=" + std::to_string(page))
                .data();
        CHECK(data["total"] == 5);
        for (const json& row : data["list"])
            CHECK(seen.insert(row["orderId"]).second);
    }
    CHECK(seen.size() == 5);
    const json rejected =
        get(trade.seller, kOrders + "sales-orders?status=REJECTED&page=1&pageSize=20").data();
    CHECK(rejected["total"] == 1);
    CHECK(rejected["list"][0]["orderId"] == ids[2]);
    CHECK(get(trade.seller, kOrders + "purchase-orders").data()["total"] == 0);
    CHECK(get(trade.seller, kOrders + "sales-orders?status=NONE").status == 400);
    CHECK(get(trade.seller, kOrders + "sales-orders?pageSize=101").status == 400);
    CHECK(get(trade.seller, kOrders + "sales-orders?page=0").data()["list"].size() == 5);
}

TEST_CASE("an order that its creator may not create is refused and leaves nothing") {
    const Trade trade;
    const auto create = [&](json changes, const platform::Account& by) {
        json draft = trade.draft();
        draft.update(changes);
        return post(by, kOrders + "create", draft);
    };
    CHECK(create(json::object(), trade.buyer).code() == "PLATFORM_401");
    CHECK(create({{"customerId", trade.seller.agent_id}}, trade.seller).status == 400);
    CHECK(create({{"customerId", "ag_nobody"}}, trade.seller).code() == "PLATFORM_410");
    CHECK(create({{"productId", "00a7ee"}}, trade.seller).code() == "PLATFORM_410");
    CHECK(create({{"productId", trade.demand}}, trade.seller).status == 400);
    CHECK(create({{"orderType", 2}}, trade.seller).status == 400);
    CHECK(create({{"orderType", 2}, {"productId", trade.demand}}, trade.seller).status == 200);
    CHECK(get(trade.seller, kOrders + "sales-orders").data()["total"] == 1);
}

TEST_CASE("hostile bodies are refused and never cut to size") {
    const Trade trade;
    std::string long_title;
    for (int i = 0; i < 101; ++i)
        long_title += "修";
    const std::vector<json> changes{{{"title", long_title}},
                                    {{"title", "  "}},
                                    {{"title", 7}},
                                    {{"content", std::string(2001, 'x')}},
                                    {{"price", 0}},
                                    {{"price", -1}},
                                    {{"price", 9007199254740992}},
                                    {{"price", 1.5}},
                                    {{"price", "1e3"}},
                                    {{"price", json::array({1})}},
                                    {{"currency", "cny"}},
                                    {{"currency", "CNYX"}},
                                    {{"currency", ""}},
                                    {{"currency", nullptr}},
                                    {{"orderType", 4}},
                                    {{"customerId", json::object()}},
                                    {{"customerId", std::string(1000, 'x')}},
                                    {{"productId", nullptr}}};
    for (const json& change : changes) {
        json draft = trade.draft();
        draft.update(change);
        CAPTURE(change.dump());
        CHECK(post(trade.seller, kOrders + "create", draft).status == 400);
    }
    for (const std::string body :
         {"", "null", "[]", "{", "\"x\"", R"({"price":1,"price":2})", "\xff"}) {
        CAPTURE(body);
        CHECK(call(trade.seller, "POST", kOrders + "create", body).status == 400);
    }
    const std::string deep(100'000, '[');
    CHECK(call(trade.seller, "POST", kOrders + "create", deep).status == 400);
    const std::string huge(10 * 1024 * 1024, 'x');
    CHECK(call(trade.seller, "POST", kOrders + "create", huge).status != 200);
    for (const std::string id : {"%00", "%ff%fe", "..%2f..", "'%20or%201=1--", "WKS"}) {
        CAPTURE(id);
        const auto answer = get(trade.seller, kOrders + id + "/detail");
        CHECK((answer.status == 404 || answer.status == 400));
    }
    json exact = trade.draft();
    exact["title"] = long_title.substr(0, 300);
    exact["price"] = 9007199254740991;
    CHECK(post(trade.seller, kOrders + "create", exact).data()["price"] == 9007199254740991);
    CHECK(get(trade.seller, kOrders + "sales-orders").data()["total"] == 1);
}

TEST_CASE("the same key and body gets the same answer, another body a conflict") {
    const Trade trade;
    const Headers key{{"Idempotency-Key", random_hex(8)}};
    const auto first = post(trade.seller, kOrders + "create", trade.draft(), key);
    const auto again = post(trade.seller, kOrders + "create", trade.draft(), key);
    REQUIRE(first.status == 200);
    CHECK(first.text == again.text);
    json other = trade.draft();
    other["price"] = 1;
    CHECK(post(trade.seller, kOrders + "create", other, key).status == 409);
    const std::string id = first.data()["orderId"];
    CHECK(act(trade.seller, id, "cancel", key).status == 409);
    CHECK(get(trade.seller, kOrders + "sales-orders").data()["total"] == 1);
    // The key is the caller's own.
    CHECK(act(trade.buyer, id, "confirm", key).status == 200);
    CHECK(act(trade.buyer, id, "confirm", key).data()["status"] == "CONFIRMED");
    REQUIRE(act(trade.seller, id, "confirm-received").status == 200);
    CHECK(act(trade.buyer, id, "confirm", key).data()["status"] == "CONFIRMED");
    for (const std::string& bad : {std::string(129, 'k'), std::string("a b")}) {
        const Headers wrong{{"Idempotency-Key", bad}};
        CHECK(post(trade.seller, kOrders + "create", trade.draft(), wrong).status == 400);
    }
    // A failed request may be tried again with the same key.
    const Headers retry{{"Idempotency-Key", random_hex(8)}};
    CHECK(act(trade.seller, id, "confirm-service-completed", retry).code() == "PLATFORM_401");
    CHECK(act(trade.seller, id, "confirm-service-completed", retry).code() == "PLATFORM_401");
}

TEST_CASE("many at once with one key make one order") {
    const Trade trade;
    const Headers key{{"Idempotency-Key", random_hex(8)}};
    std::array<std::string, 8> answers;
    {
        std::vector<std::jthread> threads;
        for (std::string& answer : answers) {
            threads.emplace_back(
                [&] { answer = post(trade.seller, kOrders + "create", trade.draft(), key).text; });
        }
    }
    for (const std::string& answer : answers)
        CHECK(answer == answers[0]);
    CHECK(get(trade.seller, kOrders + "sales-orders").data()["total"] == 1);
}

TEST_CASE("a checkout of the sandbox says so, and its page pays once") {
    const Trade trade;
    const std::string id = trade.create("USD");
    CHECK(get(trade.buyer, kStatus + "/" + id).data()["status"] == "UNPAID");
    CHECK(post(trade.seller, kCheckout, {{"orderId", id}}).status == 409);
    REQUIRE(act(trade.buyer, id, "confirm").status == 200);
    const json checkout = post(trade.seller, kCheckout, {{"orderId", id}}).data();
    CHECK(checkout["sandbox"] == true);
    CHECK(checkout["notice"].get<std::string>().find("no money moves") != std::string::npos);
    CHECK(checkout["status"] == "PENDING");
    CHECK(post(trade.buyer, kCheckout, {{"orderId", id}}).data() == checkout);
    const std::string url = checkout["checkoutUrl"];
    const auto page = call_unsigned(url, "GET");
    CHECK(page.status == 200);
    CHECK(page.text.find("沙箱") != std::string::npos);
    CHECK(call_unsigned(url, "POST").status == 200);
    CHECK(call_unsigned(url, "POST").status == 200);
    const json paid = get(trade.buyer, kStatus + "/" + id).data();
    CHECK(paid["status"] == "PAID");
    CHECK(paid["sandbox"] == true);
    // The seller's own action moves the order, not the payment provider.
    CHECK(paid["orderStatus"] == "CONFIRMED");
    CHECK(call_unsigned(url + "0", "POST").status == 404);
}

TEST_CASE("the buyer's checkout is at the market, whatever host the seller asked for") {
    const Trade trade;
    const std::string id = trade.create("USD");
    REQUIRE(act(trade.buyer, id, "confirm").status == 200);
    const Headers elsewhere{{"Host", "evil.example"}, {"X-Forwarded-Host", "evil.example"}};
    const auto bent = post(trade.seller, kCheckout, {{"orderId", id}}, elsewhere);
    REQUIRE_MESSAGE(bent.status == 200, bent.text);
    const json own = post(trade.buyer, kCheckout, {{"orderId", id}}).data();
    CHECK(own == bent.data());
    CHECK(own["checkoutUrl"].get<std::string>().starts_with(server().url() + "/sandbox/payments/"));
    const json status = get(trade.buyer, kStatus + "/" + id).data();
    CHECK(status["checkoutUrl"] == own["checkoutUrl"]);
    CHECK(call_unsigned(own["checkoutUrl"], "GET").status == 200);
}

TEST_CASE("a checkout link is for USD only, and too late for a finished order") {
    const Trade trade;
    const std::string yuan = trade.create("CNY");
    REQUIRE(act(trade.buyer, yuan, "confirm").status == 200);
    CHECK(post(trade.seller, kCheckout, {{"orderId", yuan}}).status == 400);
    const std::string dollars = trade.create("USD");
    REQUIRE(act(trade.buyer, dollars, "confirm").status == 200);
    const std::string url =
        post(trade.seller, kCheckout, {{"orderId", dollars}}).data()["checkoutUrl"];
    REQUIRE(act(trade.seller, dollars, "confirm-received").status == 200);
    CHECK(call_unsigned(url, "POST").status == 409);
    CHECK(get(trade.buyer, kStatus + "/" + dollars).data()["status"] == "PAID");
}

TEST_CASE("the payment status may be signed without the order id, as a public client does") {
    const Trade trade;
    const std::string id = trade.create();
    const auto request = [&](const std::string& signed_path, const std::string& path) {
        auto made = test::plain_request(trade.seller, "GET", signed_path);
        made.url = server().url() + path;
        return test::send(made);
    };
    CHECK(request(kStatus, kStatus + "/" + id).status == 200);
    CHECK(request(kStatus + "/" + id, kStatus + "/" + id).status == 200);
    CHECK(request(kOrders + id, kStatus + "/" + id).code() == "PLATFORM_90005");
    CHECK(request(kStatus, kOrders + id + "/detail").code() == "PLATFORM_90005");
}

TEST_CASE("a market that is killed under load has no half order") {
    test::TempDir dir;
    test::Market market(dir.path());
    const auto seller = test::plain_agent(market, "Seller");
    const auto buyer = test::plain_agent(market, "Buyer");
    const std::string service = Trade::publish(seller, 3);
    const json draft{
        {"customerId", buyer.agent_id}, {"title", "t"},  {"price", 1}, {"currency", "CNY"},
        {"productId", service},         {"orderType", 3}};
    std::atomic<bool> stop{false};
    std::atomic<int> created{0};
    // Answered with 200, and the state in the answer.
    std::array<std::map<std::string, std::string>, 4> known;
    {
        std::vector<std::jthread> clients;
        for (auto& mine : known) {
            clients.emplace_back([&] {
                while (!stop) {
                    try {
                        const auto made = post(seller, kOrders + "create", draft);
                        if (made.status != 200) continue;
                        const std::string id = made.data()["orderId"];
                        mine[id] = "PENDING_CONFIRM";
                        ++created;
                        const auto moved = act(buyer, id, "confirm");
                        if (moved.status == 200) mine[id] = moved.data()["status"];
                    } catch (const std::runtime_error&) {
                        // The market was killed meanwhile.
                    }
                }
            });
        }
        for (const int enough : {40, 80, 120}) {
            REQUIRE(test::eventually([&] { return created >= enough; }, std::chrono::seconds(30)));
            market.kill_market();
            market.start_market();
        }
        stop = true;
    }
    std::size_t orders = 0;
    for (const auto& mine : known) {
        for (const auto& [id, state] : mine) {
            const json now = get(seller, kOrders + id + "/detail").data();
            // A lost answer may hide a move that was made, never the other way round.
            CHECK((now["status"] == state || now["status"] == "CONFIRMED"));
            ++orders;
        }
    }
    const json page = get(seller, kOrders + "sales-orders?pageSize=1").data();
    CHECK(page["total"].get<std::size_t>() >= orders);
    CHECK(page["total"].get<std::size_t>() <= orders + 3 * known.size());
}
