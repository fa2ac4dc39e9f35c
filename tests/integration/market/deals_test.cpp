// The exchange under /v1: who may take which action, summaries, sessions, offers, deals and
// notifications.

#include <doctest/doctest.h>

#include <future>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "tests/integration/market/exchange.h"

using namespace a2h;
using nlohmann::json;
using platform::Account;
using test::Answer;
using test::call;
using test::new_rfp;
using test::offer;
using test::plain_agent;
using test::server;
using test::supplier;
using test::unique;

namespace {

/// A buyer, two suppliers it matches and a stranger; the roles of the walks.
struct Scene {
    std::string type = unique("type");
    Account creator = plain_agent(server(), "Creator");
    Account supplier = test::supplier("Supplier", type, {});
    Account other = test::supplier("Other", type, {});
    Account stranger = plain_agent(server(), "Stranger");

    const Account& role(const std::string& name) const {
        return name == "creator"    ? creator
               : name == "supplier" ? supplier
               : name == "other"    ? other
                                    : stranger;
    }
    std::string rfp() const {
        return "/v1/rfps/" + new_rfp(creator, type, {}, "2099-01-01T00:00:00Z");
    }
};

void bring(const Account& agent, const std::string& path, const std::string& status) {
    const auto moved = call(agent, "PATCH", path, {{"status", status}});
    REQUIRE_MESSAGE(moved.status == 200, moved.text);
}

/// The result that R23 requires for one of 48 combinations.
int rfp_answer(const std::string& state, const std::string& action, const std::string& role) {
    if (role == "stranger") return 404;
    if (role != "creator") return 403;
    if (action == state) return 200;
    return state == "open" ? 200 : 409;
}

/// The result that R24 requires for one of 64 combinations.
int proposal_answer(const std::string& state, const std::string& action, const std::string& role) {
    if (role == "other" || role == "stranger") return 404;
    const bool creators = action == "accepted" || action == "rejected";
    if (action != "pending" && creators != (role == "creator")) return 403;
    if (action == state) return 200;
    return state == "pending" ? 200 : 409;
}

json text_payload(const std::string& text) {
    return {{"payload", {{"type", "text"}, {"text", text}}}};
}

json offer_payload(const json& amount, const std::string& until = {}) {
    json payload{{"type", "offer"},
                 {"price", {{"currency", "CNY"}, {"amount", amount}}},
                 {"summary", "24 小时内交付"}};
    if (!until.empty()) payload["valid_until"] = until;
    return {{"payload", payload}};
}

json answer_payload(const std::string& type, const std::string& offer_id) {
    return {{"payload", {{"type", type}, {"offer_message_id", offer_id}}}};
}

/// The path of a session of the two.
std::string session(const Account& from, json body) {
    const auto begun = call(from, "POST", "/v1/sessions", body);
    REQUIRE_MESSAGE(begun.status == 200, begun.text);
    return "/v1/sessions/" + begun.data()["session_id"].get<std::string>();
}

std::string said(const Account& from, const std::string& session, const json& body) {
    const auto message = call(from, "POST", session + "/messages", body);
    REQUIRE_MESSAGE(message.status == 200, message.text);
    return message.data()["message_id"];
}

}  // namespace

TEST_CASE("every state, action and role of an RFP does what R23 says") {
    const Scene scene;
    int moved = 0;
    for (const std::string state : {"open", "closed", "cancelled"}) {
        for (const std::string action : {"open", "closed", "cancelled", "extend"}) {
            for (const std::string role : {"creator", "supplier", "other", "stranger"}) {
                CAPTURE(state);
                CAPTURE(action);
                CAPTURE(role);
                const std::string rfp = scene.rfp();
                if (state != "open") bring(scene.creator, rfp, state);
                const json body = action == "extend" ? json{{"deadline_at", "2099-02-01T00:00:00Z"}}
                                                     : json{{"status", action}};
                const auto answer = call(scene.role(role), "PATCH", rfp, body);
                CHECK(answer.status == rfp_answer(state, action, role));
                const std::string now = call(scene.creator, "GET", rfp).data()["status"];
                const bool moves = answer.status == 200 && action != "extend";
                CHECK(now == (moves ? action : state));
                moved += now != state;
            }
        }
    }
    CHECK(moved == 2);
}

TEST_CASE("every state, action and role of a proposal does what R24 says") {
    const Scene scene;
    int moved = 0;
    for (const std::string state : {"pending", "accepted", "rejected", "withdrawn"}) {
        for (const std::string action : {"pending", "accepted", "rejected", "withdrawn"}) {
            for (const std::string role : {"creator", "supplier", "other", "stranger"}) {
                CAPTURE(state);
                CAPTURE(action);
                CAPTURE(role);
                const std::string id = offer(scene.supplier, scene.rfp(), 100);
                const std::string path = "/v1/proposals/" + id;
                if (state != "pending") {
                    bring(state == "withdrawn" ? scene.supplier : scene.creator, path, state);
                }
                const auto answer = call(scene.role(role), "PATCH", path, {{"status", action}});
                CHECK(answer.status == proposal_answer(state, action, role));
                const std::string now = call(scene.creator, "GET", path).data()["status"];
                CHECK(now == (answer.status == 200 ? action : state));
                moved += now != state;
            }
        }
    }
    CHECK(moved == 3);
}

TEST_CASE("proposals of a cancelled RFP are not decided any more, those of a closed one are") {
    const Scene scene;
    const std::string cancelled = scene.rfp();
    const std::string closed = scene.rfp();
    const std::string first = "/v1/proposals/" + offer(scene.supplier, cancelled, 1);
    const std::string second = "/v1/proposals/" + offer(scene.supplier, closed, 1);
    bring(scene.creator, cancelled, "cancelled");
    bring(scene.creator, closed, "closed");
    CHECK(call(scene.creator, "PATCH", first, {{"status", "accepted"}}).status == 409);
    CHECK(call(scene.supplier, "PATCH", first, {{"status", "withdrawn"}}).status == 200);
    CHECK(call(scene.creator, "PATCH", second, {{"status", "accepted"}}).status == 200);
}

TEST_CASE("an acceptance and a withdrawal at the same time: one wins, the other is refused (R24)") {
    const Scene scene;
    for (int i = 0; i < 10; ++i) {
        const std::string path = "/v1/proposals/" + offer(scene.supplier, scene.rfp(), 100);
        const auto move = [&](const Account& agent, const char* status) {
            return call(agent, "PATCH", path, {{"status", status}});
        };
        auto accepting = std::async(std::launch::async, move, scene.creator, "accepted");
        const auto withdrawn = move(scene.supplier, "withdrawn");
        const auto accepted = accepting.get();
        REQUIRE((accepted.status == 200) != (withdrawn.status == 200));
        const auto& loser = accepted.status == 200 ? withdrawn : accepted;
        const auto& winner = accepted.status == 200 ? scene.creator : scene.supplier;
        CHECK(loser.status == 409);
        CHECK(loser.body["message"].get<std::string>().find(winner.agent_id) != std::string::npos);
        const json now = call(scene.creator, "GET", path).data();
        CHECK(now.contains("deal_id") == (accepted.status == 200));
    }
}

TEST_CASE("an accepted proposal is one deal with its history, for its two parties only") {
    const Scene scene;
    const std::string rfp = scene.rfp();
    const std::string id = offer(scene.supplier, rfp, 5000);
    const std::string talk = session(scene.supplier, {{"proposal_id", id}});
    said(scene.supplier, talk, text_payload("I can begin on Monday"));
    const auto accept = [&] {
        return call(scene.creator, "PATCH", "/v1/proposals/" + id, {{"status", "accepted"}});
    };
    const auto accepted = accept();
    REQUIRE(accepted.status == 200);
    CHECK(accept().data() == accepted.data());
    const std::string path = "/v1/deals/" + accepted.data()["deal_id"].get<std::string>();
    const json deal = call(scene.creator, "GET", path).data();
    CHECK(call(scene.supplier, "GET", path).data() == deal);
    CHECK(call(scene.other, "GET", path).status == 404);
    CHECK(deal["price"] == json{{"currency", "CNY"}, {"amount", 5000}});
    CHECK(deal["price_minor"] == 500000);
    CHECK(deal["buyer_agent_id"] == scene.creator.agent_id);
    CHECK(deal["supplier_agent_id"] == scene.supplier.agent_id);
    CHECK(deal["terms"]["rfp"]["description"] == "as said");
    CHECK(deal["terms"]["proposal"]["proposal_id"] == id);
    CHECK(deal["terms"]["session"]["messages"][0]["payload"]["text"] == "I can begin on Monday");
    const json list = call(scene.creator, "GET", "/v1/deals").data()["items"];
    REQUIRE(list.size() == 1);
    CHECK_FALSE(list[0].contains("terms"));
    CHECK(call(scene.other, "GET", "/v1/deals").data()["items"].empty());
    // Its session cannot lead to another one.
    const std::string late = said(scene.supplier, talk, offer_payload(4000));
    CHECK(call(scene.creator, "POST", talk + "/messages", answer_payload("accept", late)).status ==
          409);
}

TEST_CASE("the summary compares price, budget, delivery and currency, for the creator only (R25)") {
    const Scene scene;
    const std::string rfp = "/v1/rfps/" + call(scene.creator, "POST", "/v1/rfps",
                                               {{"title", "IP | report <b>"},
                                                {"description", "d"},
                                                {"capability_type", scene.type},
                                                {"budget", {{"currency", "CNY"}, {"max", 5000}}}})
                                              .data()["rfp_id"]
                                              .get<std::string>();
    const auto hand_in = [&](const std::string& name, const json& price, const std::string& when) {
        const auto agent = test::supplier(name, scene.type, {});
        const auto made =
            call(agent, "POST", rfp + "/proposals", {{"price", price}, {"delivery_at", when}});
        REQUIRE_MESSAGE(made.status == 200, made.text);
        return std::pair(agent, made.data()["proposal_id"].get<std::string>());
    };
    const auto cny = [](int amount) { return json{{"currency", "CNY"}, {"amount", amount}}; };
    hand_in("Dear", cny(6000), "2099-03-01");
    hand_in("Late", cny(4000), "2099-02-01T00:00:00Z");
    hand_in("| Best |\n| 1 |", cny(4000), "2099-01-01T00:00:00Z");
    hand_in("Dollar", {{"currency", "USD"}, {"amount", 1}}, "2099-01-01");
    const auto gone = hand_in("Gone", cny(1), "2099-01-01");
    bring(gone.first, "/v1/proposals/" + gone.second, "withdrawn");

    const json summary = call(scene.creator, "GET", rfp + "/summary").data();
    CHECK(summary["count"] == 4);
    CHECK(summary["total"] == 5);
    CHECK(summary["currency"] == "CNY");
    const json& rows = summary["proposals"];
    REQUIRE(rows.size() == 5);
    CHECK(rows[0]["supplier_name"] == "| Best |\n| 1 |");
    CHECK(rows[0]["rank"] == 1);
    CHECK(rows[0]["within_budget"] == true);
    CHECK(rows[1]["supplier_name"] == "Late");
    CHECK(rows[2]["supplier_name"] == "Dear");
    CHECK(rows[2]["within_budget"] == false);
    CHECK(rows[2]["rank"] == 3);
    CHECK(rows[3]["supplier_name"] == "Dollar");
    CHECK(rows[3]["other_currency"] == true);
    CHECK_FALSE(rows[3].contains("rank"));
    CHECK_FALSE(rows[3].contains("within_budget"));
    CHECK(rows[4]["status"] == "withdrawn");

    auto request = test::plain_request(scene.creator, "GET", rfp + "/summary");
    request.headers.emplace_back("Accept", "text/markdown");
    request.headers.emplace_back("Accept-Language", "zh-CN");
    const auto table = test::send(request);
    CHECK(table.header("content-type") == "text/markdown; charset=utf-8");
    CHECK(table.text.find("### IP \\| report \\<b\\>") == 0);
    CHECK(table.text.find("| 排名 | 供应方 |") != std::string::npos);
    CHECK(table.text.find("| 1 | \\| Best \\| \\| 1 \\| \\(") != std::string::npos);
    const auto english = call(scene.creator, "GET", rfp + "/summary?format=markdown&language=en");
    CHECK(english.text.find("| Rank | Supplier | Price |") != std::string::npos);
    CHECK(english.text == summary["markdown"]);

    CHECK(call(scene.supplier, "GET", rfp + "/summary").status == 403);
    CHECK(call(scene.stranger, "GET", rfp + "/summary").status == 404);
}

TEST_CASE("a session is between the creator and a supplier, or the parties of a proposal") {
    const Scene scene;
    const std::string rfp = scene.rfp();
    const std::string rfp_id = rfp.substr(rfp.rfind('/') + 1);
    const std::string proposal_id = offer(scene.supplier, rfp, 100);
    const auto begin = [](const Account& from, const json& body) {
        return call(from, "POST", "/v1/sessions", body);
    };
    const auto with = [](const Account& agent, json body) {
        body["agent_id"] = agent.agent_id;
        return body;
    };
    const json about_rfp{{"rfp_id", rfp_id}};
    const json about_proposal{{"proposal_id", proposal_id}};
    const auto first = begin(scene.creator, with(scene.supplier, about_rfp));
    REQUIRE(first.status == 200);
    CHECK(first.data()["agent_id"] == scene.supplier.agent_id);
    // The same two agents and the same subject: the same session, whichever side asks.
    const auto again = begin(scene.supplier, with(scene.creator, about_rfp));
    CHECK(again.data()["session_id"] == first.data()["session_id"]);
    CHECK(again.data()["agent_id"] == scene.creator.agent_id);
    CHECK(begin(scene.creator, with(scene.stranger, about_rfp)).status == 400);
    CHECK(begin(scene.supplier, with(scene.other, about_rfp)).status == 400);
    CHECK(begin(scene.stranger, with(scene.creator, about_rfp)).status == 404);

    const auto third = begin(scene.creator, about_proposal);
    REQUIRE(third.status == 200);
    CHECK(third.data()["rfp_id"] == rfp_id);
    CHECK(third.data()["session_id"] != first.data()["session_id"]);
    CHECK(begin(scene.other, with(scene.creator, about_proposal)).status == 404);
    CHECK(begin(scene.creator, with(scene.other, about_proposal)).status == 400);
    CHECK(begin(scene.creator, {{"proposal_id", proposal_id}, {"rfp_id", "rfp_x"}}).status == 400);

    CHECK(begin(scene.stranger, with(scene.creator, json::object())).status == 200);
    CHECK(begin(scene.stranger, with(scene.stranger, json::object())).status == 400);
    CHECK(begin(scene.stranger, {{"agent_id", "ag_nobody"}}).status == 404);
    CHECK(begin(scene.stranger, json::object()).status == 400);
    CHECK(call(scene.creator, "GET", "/v1/sessions").data()["items"].size() == 3);

    const std::string path = "/v1/sessions/" + first.data()["session_id"].get<std::string>();
    CHECK(call(scene.supplier, "GET", path).status == 200);
    for (const auto& outsider : {scene.other, scene.stranger}) {
        CHECK(call(outsider, "GET", path).status == 404);
        CHECK(call(outsider, "GET", path + "/messages").status == 404);
        CHECK(call(outsider, "GET", path + "/offers").status == 404);
        CHECK(call(outsider, "POST", path + "/messages", text_payload("hi")).status == 404);
    }
}

TEST_CASE("messages are checked by their type") {
    const Scene scene;
    const std::string talk = session(scene.creator, {{"agent_id", scene.stranger.agent_id}});
    const auto answer = [&](const json& payload) {
        return call(scene.creator, "POST", talk + "/messages", {{"payload", payload}});
    };
    const json price{{"currency", "CNY"}, {"amount", 5000}};
    CHECK(answer({{"text", "without a type it is a text"}}).data()["type"] == "text");
    CHECK(answer({{"type", "inquiry"}, {"text", "when?"}}).status == 200);
    CHECK(answer({{"type", "offer"}, {"price", price}, {"summary", "s"}}).status == 200);
    for (const json& bad : std::vector<json>{
             {{"type", "text"}},
             {{"type", "text"}, {"text", " "}},
             {{"type", "text"}, {"text", "t"}, {"price", price}},
             {{"type", "inquiry"}, {"note", "n"}},
             {{"type", "offer"}, {"summary", "no price"}},
             {{"type", "offer"}, {"price", 5000}},
             {{"type", "offer"}, {"price", price}, {"note", "n"}},
             {{"type", "offer"}, {"price", price}, {"valid_until", "2020-01-01T00:00:00Z"}},
             {{"type", "offer"}, {"price", price}, {"valid_until", "tomorrow noon"}},
             {{"type", "offer"}, {"price", {{"currency", "CNY"}, {"amount", 0.001}}}},
             {{"type", "accept"}},
             {{"type", "reject"}, {"note", "no"}},
             {{"type", "counter"}, {"text", "t"}},
             {{"type", 7}},
             {{"typ", "text"}, {"text", "t"}},
         }) {
        CAPTURE(bad.dump());
        CHECK(answer(bad).status == 400);
    }
    const json list = call(scene.stranger, "GET", talk + "/messages").data()["items"];
    REQUIRE(list.size() == 3);
    CHECK(list[0]["type"] == "offer");
    CHECK(list[2]["sender_agent_id"] == scene.creator.agent_id);
    CHECK(call(scene.stranger, "GET", talk + "/messages?type=inquiry").data()["items"].size() == 1);
}

TEST_CASE("an acceptance needs a valid offer of the other side and makes one deal (R26)") {
    const Scene scene;
    const std::string rfp = scene.rfp();
    const std::string talk = session(scene.creator, {{"agent_id", scene.supplier.agent_id},
                                                     {"rfp_id", rfp.substr(rfp.rfind('/') + 1)}});
    const auto answer = [&](const Account& from, const std::string& type, const std::string& id) {
        return call(from, "POST", talk + "/messages", answer_payload(type, id));
    };
    said(scene.creator, talk, text_payload("how much?"));
    const std::string offered = said(scene.supplier, talk, offer_payload(5000));
    CHECK(answer(scene.supplier, "accept", offered).status == 404);
    CHECK(answer(scene.creator, "accept", "msg_unknown").status == 404);
    const auto accepted = answer(scene.creator, "accept", offered);
    REQUIRE_MESSAGE(accepted.status == 200, accepted.text);
    CHECK(answer(scene.creator, "accept", offered).data() == accepted.data());
    CHECK(answer(scene.creator, "reject", offered).status == 409);
    const json deals = call(scene.supplier, "GET", "/v1/deals").data()["items"];
    REQUIRE(deals.size() == 1);
    CHECK(deals[0]["deal_id"] == accepted.data()["deal_id"]);
    CHECK(deals[0]["price_minor"] == 500000);
    CHECK(deals[0]["offered_by"] == scene.supplier.agent_id);
    const json terms =
        call(scene.creator, "GET", "/v1/deals/" + deals[0]["deal_id"].get<std::string>())
            .data()["terms"];
    CHECK(terms["offer"]["message_id"] == offered);
    CHECK(terms["accept"]["message_id"] == accepted.data()["message_id"]);
    CHECK(terms["session"]["messages"].size() == 3);
    CHECK(terms["session"]["omitted"] == 0);

    const std::string refused = said(scene.supplier, talk, offer_payload("4000.50"));
    const auto rejected = answer(scene.creator, "reject", refused);
    CHECK(rejected.status == 200);
    CHECK(answer(scene.creator, "reject", refused).data() == rejected.data());
    CHECK(answer(scene.creator, "accept", refused).status == 409);
    const std::string soon = to_envelope_time(SystemClock().now_ms() + 2000);
    const std::string expired = said(scene.supplier, talk, offer_payload(1, soon));
    CHECK(test::eventually([&] {
        return call(scene.creator, "GET", talk + "/offers").data()["items"][0]["state"] ==
               "expired";
    }));
    CHECK(answer(scene.creator, "accept", expired).status == 409);
    const json offers = call(scene.creator, "GET", talk + "/offers").data()["items"];
    REQUIRE(offers.size() == 3);
    CHECK(offers[1]["state"] == "rejected");
    CHECK(offers[1]["payload"]["price"]["amount"] == 4000.5);
    CHECK(offers[2]["state"] == "accepted");
    CHECK(offers[2]["sender_name"] == "Supplier");
    CHECK(call(scene.supplier, "GET", "/v1/deals").data()["items"].size() == 1);
}

TEST_CASE("an offer that many accept at once is one deal") {
    const Scene scene;
    const std::string talk = session(scene.creator, {{"agent_id", scene.stranger.agent_id}});
    const std::string offered = said(scene.stranger, talk, offer_payload(5000));
    std::vector<std::future<Answer>> running;
    for (int i = 0; i < 8; ++i) {
        running.push_back(std::async(std::launch::async, [&] {
            return call(scene.creator, "POST", talk + "/messages",
                        answer_payload("accept", offered));
        }));
    }
    std::set<std::string> deals;
    for (auto& each : running) {
        const auto answer = each.get();
        REQUIRE_MESSAGE(answer.status == 200, answer.text);
        deals.insert(answer.data()["deal_id"]);
    }
    CHECK(deals.size() == 1);
    CHECK(call(scene.creator, "GET", "/v1/deals").data()["items"].size() == 1);
}

TEST_CASE("5000 CNY stay 5000 CNY from the offer over the deal to an order of 500000 (R27)") {
    const auto buyer = plain_agent(server(), "Buyer");
    const auto seller = plain_agent(server(), "Seller");
    const std::string talk = session(seller, {{"agent_id", buyer.agent_id}});
    const std::string offered = said(seller, talk, offer_payload(5000));
    const auto accepted =
        call(buyer, "POST", talk + "/messages", answer_payload("accept", offered));
    const std::string deal_id = accepted.data()["deal_id"];
    const json deal = call(seller, "GET", "/v1/deals/" + deal_id).data();
    CHECK(deal["price"] == json{{"currency", "CNY"}, {"amount", 5000}});
    const auto post = call(seller, "POST", "/findu-user/api/v1/user/works/change-requests",
                           {{"type", 3}, {"title", "IP report"}, {"content", "as agreed"}});
    const auto order = call(seller, "POST", "/findu-trade/api/v1/orders/create",
                            {{"customerId", buyer.agent_id},
                             {"title", "IP report"},
                             {"price", deal["price_minor"]},
                             {"currency", deal["price"]["currency"]},
                             {"productId", post.data()["worksId"]},
                             {"orderType", 3}});
    REQUIRE_MESSAGE(order.status == 200, order.text);
    CHECK(order.data()["price"] == 500000);
    CHECK(order.data()["currency"] == "CNY");
}

TEST_CASE("two processes on one database let only one of two moves win a proposal (R24)") {
    const Scene scene;
    auto elsewhere = scene.supplier;
    elsewhere.api_base = server().start_second_market();
    for (int i = 0; i < 10; ++i) {
        const std::string path = "/v1/proposals/" + offer(scene.supplier, scene.rfp(), 100);
        const auto move = [&](const Account& agent, const char* status) {
            return call(agent, "PATCH", path, {{"status", status}});
        };
        auto accepting = std::async(std::launch::async, move, scene.creator, "accepted");
        const auto withdrawn = move(elsewhere, "withdrawn");
        const auto accepted = accepting.get();
        CHECK(accepted.status + withdrawn.status == 200 + 409);
        const json now = call(elsewhere, "GET", path).data();
        CHECK(now["status"] == (accepted.status == 200 ? "accepted" : "withdrawn"));
        CHECK(now.contains("deal_id") == (accepted.status == 200));
    }
}

TEST_CASE("nothing of the exchange but capabilities is answered without a signature") {
    const Scene scene;
    const std::string rfp = scene.rfp();
    const std::string proposal = "/v1/proposals/" + offer(scene.supplier, rfp, 100);
    const std::string talk = session(scene.creator, {{"agent_id", scene.stranger.agent_id}});
    const std::vector<std::pair<std::string, std::string>> routes{
        {"POST", "/v1/rfps"},
        {"GET", "/v1/rfps"},
        {"GET", rfp},
        {"PATCH", rfp},
        {"GET", rfp + "/summary"},
        {"POST", rfp + "/proposals"},
        {"GET", rfp + "/proposals"},
        {"GET", proposal},
        {"PATCH", proposal},
        {"POST", "/v1/sessions"},
        {"GET", "/v1/sessions"},
        {"GET", talk},
        {"POST", talk + "/messages"},
        {"GET", talk + "/messages"},
        {"GET", talk + "/offers"},
        {"GET", "/v1/deals"},
        {"GET", "/v1/deals/deal_x"},
    };
    for (const auto& [method, path] : routes) {
        CAPTURE(method);
        CAPTURE(path);
        http::ClientRequest request;
        request.method = method;
        request.url = server().url() + path;
        CHECK(test::send(request).code() == "PLATFORM_90005");
        CHECK(test::send(test::plain_request(scene.creator, method, path, "", test::now_s() - 400))
                  .code() == "PLATFORM_90005");
    }
}
