// The exchange under /v1: capabilities, RFPs and proposals, against the real market.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "tests/integration/market/exchange.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::call;
using test::new_rfp;
using test::offer;
using test::plain_agent;
using test::server;
using test::supplier;
using test::unique;

TEST_CASE("an agent sets its capabilities, everybody reads them, nobody else sets them") {
    const auto ann = plain_agent(server(), "Ann");
    const auto bob = plain_agent(server(), "Bob");
    const std::string path = "/v1/agents/" + ann.agent_id + "/capabilities";
    const json body{
        {"capabilities",
         {{{"type", "Writing"}, {"domains", {"悬疑", "Ｆantasy"}}}, {{"type", "review"}}}}};
    const auto set = call(ann, "PUT", path, body);
    REQUIRE(set.status == 200);
    CHECK(set.data()["capabilities"][0] ==
          json{{"type", "Writing"}, {"domains", {"悬疑", "Ｆantasy"}}});
    CHECK(set.data()["capabilities"][1]["domains"].empty());
    CHECK(test::send({.url = server().url() + path}).data() == set.data());
    CHECK(call(bob, "PUT", path, body).code() == "PLATFORM_401");
    CHECK(test::send({.method = "PUT", .url = server().url() + path, .body = body.dump()}).status ==
          401);
    CHECK(call(bob, "GET", "/v1/agents/ag_nobody/capabilities").code() == "PLATFORM_410");
    CHECK(call(ann, "PUT", path, {{"capabilities", json::array()}}).status == 200);
    CHECK(call(bob, "GET", path).data()["capabilities"].empty());
}

TEST_CASE("an RFP is created, shown, and listed for its creator and for who matches it") {
    const std::string type = unique("IP-Report");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto seller = supplier("Seller", type, {"悬疑"});
    const auto stranger = supplier("Stranger", type, {"romance"});
    const auto created = call(buyer, "POST", "/v1/rfps",
                              {{"title", "IP report"},
                               {"description", "wanted"},
                               {"capability_type", type},
                               {"domain_filters", {"悬疑"}},
                               {"budget", {{"currency", "CNY"}, {"max", 10000}}},
                               {"deadline_at", "2099-01-01T08:00:00+08:00"}});
    REQUIRE_MESSAGE(created.status == 200, created.text);
    const json rfp = created.data();
    CHECK(rfp["status"] == "open");
    CHECK(rfp["creator_agent_id"] == buyer.agent_id);
    CHECK(rfp["budget"] == json{{"currency", "CNY"}, {"max", 10000}});
    CHECK(rfp["deadline_at"] == "2099-01-01T00:00:00Z");
    CHECK(rfp["role"] == "creator");
    const std::string path = "/v1/rfps/" + rfp["rfp_id"].get<std::string>();
    CHECK(call(buyer, "GET", path).data() == rfp);
    json seen = rfp;
    seen["role"] = "supplier";
    CHECK(call(seller, "GET", path).data() == seen);
    // The same answer as for an RFP that does not exist.
    const auto hidden = call(stranger, "GET", path);
    CHECK(hidden.status == 404);
    CHECK(hidden.body == call(stranger, "GET", "/v1/rfps/rfp_none").body);

    const auto ids = [](const Answer& list) {
        std::vector<std::string> all;
        for (const json& row : list.data()["items"])
            all.push_back(row["rfp_id"]);
        return all;
    };
    using Ids = std::vector<std::string>;
    const Ids only{rfp["rfp_id"]};
    CHECK(ids(call(buyer, "GET", "/v1/rfps")) == only);
    CHECK(ids(call(buyer, "GET", "/v1/rfps?role=creator")) == only);
    CHECK(ids(call(buyer, "GET", "/v1/rfps?role=supplier")).empty());
    CHECK(ids(call(seller, "GET", "/v1/rfps?role=supplier&status=open")) == only);
    CHECK(ids(call(seller, "GET", "/v1/rfps?status=cancelled")).empty());
    CHECK(ids(call(seller, "GET", "/v1/rfps?capability_type=" + type)) == only);
    CHECK(ids(call(seller, "GET", "/v1/rfps?capability_type=other")).empty());
    CHECK(ids(call(seller, "GET", "/v1/rfps?creator_id=" + buyer.agent_id)) == only);
    CHECK(ids(call(seller, "GET", "/v1/rfps?creator_id=" + seller.agent_id)).empty());
    CHECK(ids(call(stranger, "GET", "/v1/rfps")).empty());
}

TEST_CASE("type and domain must match on the same capability, folded (R20)") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto split = plain_agent(server(), "Split");
    test::set_capabilities(
        split, {{{"type", type}, {"domains", {"a"}}}, {{"type", "other"}, {"domains", {"b"}}}});
    // Full-width and upper case are the same words.
    const auto folded = supplier("Folded", " Ｔ" + type.substr(1), {"Ｂ"});
    const auto id = new_rfp(buyer, type, {"b"});
    CHECK(call(split, "GET", "/v1/rfps/" + id).status == 404);
    CHECK(call(folded, "GET", "/v1/rfps/" + id).status == 200);
    const auto open_to_all = new_rfp(buyer, type, {});
    CHECK(call(split, "GET", "/v1/rfps/" + open_to_all).status == 200);
    // An agent that no longer offers the capability does not see it.
    test::set_capabilities(folded, json::array());
    CHECK(call(folded, "GET", "/v1/rfps/" + id).status == 404);
}

TEST_CASE("RFPs come in pages that never overlap") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    for (int i = 0; i < 5; ++i)
        new_rfp(buyer, type, {});
    std::set<std::string> seen;
    for (const int page : {1, 2, 3}) {
        const auto list =
            call(buyer, "GET", "/v1/rfps?page_size=2&page=" + std::to_string(page)).data();
        CHECK(list["more"] == (page < 3));
        for (const json& row : list["items"])
            seen.insert(row["rfp_id"]);
    }
    CHECK(seen.size() == 5);
    CHECK(call(buyer, "GET", "/v1/rfps?page=0").status == 400);
    CHECK(call(buyer, "GET", "/v1/rfps?page_size=101").status == 400);
}

TEST_CASE("a proposal is seen by its supplier and the creator only, and counts do not leak (R22)") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto first = supplier("First", type, {});
    const auto second = supplier("Second", type, {});
    const auto stranger = plain_agent(server(), "Stranger");
    const std::string rfp = "/v1/rfps/" + new_rfp(buyer, type, {});
    const json body{{"price", {{"currency", "CNY"}, {"amount", 4999.5}}},
                    {"delivery_at", "2099-01-01"},
                    {"content", "report"}};
    json wordy = body;
    wordy["delivery_at"] = "within 30 days; the buyer pays 900 CNY on top";
    CHECK(call(first, "POST", rfp + "/proposals", wordy).status == 400);
    const auto handed_in = call(first, "POST", rfp + "/proposals", body);
    REQUIRE_MESSAGE(handed_in.status == 200, handed_in.text);
    const json proposal = handed_in.data();
    CHECK(proposal["status"] == "pending");
    CHECK(proposal["price"] == body["price"]);
    CHECK(proposal["supplier_agent_id"] == first.agent_id);
    const std::string path = "/v1/proposals/" + proposal["proposal_id"].get<std::string>();
    CHECK(call(first, "GET", path).data() == proposal);
    CHECK(call(buyer, "GET", path).data() == proposal);
    for (const auto& other : {second, stranger}) {
        const auto hidden = call(other, "GET", path);
        CHECK(hidden.status == 404);
        CHECK(hidden.body == call(other, "GET", "/v1/proposals/prop_none").body);
        CHECK(call(other, "PATCH", path, {{"status", "accepted"}}).status == 404);
    }
    CHECK(call(second, "GET", rfp + "/proposals").data()["items"].empty());
    CHECK(call(first, "GET", rfp + "/proposals").data()["items"].size() == 1);
    offer(second, rfp, 5000);
    CHECK(call(buyer, "GET", rfp + "/proposals").data()["items"].size() == 2);
    CHECK(call(first, "GET", rfp + "/proposals").data()["items"].size() == 1);
    CHECK(call(stranger, "GET", rfp + "/proposals").status == 404);
    CHECK(call(stranger, "POST", rfp + "/proposals", body).status == 404);
    CHECK(call(buyer, "POST", rfp + "/proposals", body).status == 403);
}

TEST_CASE("a supplier has one live proposal for an RFP, unless it withdrew the first (R21)") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto seller = supplier("Seller", type, {});
    const std::string rfp = "/v1/rfps/" + new_rfp(buyer, type, {});
    const std::string first = offer(seller, rfp, 5000);
    const json body{{"price", {{"currency", "CNY"}, {"amount", 4000}}}};
    CHECK(call(seller, "POST", rfp + "/proposals", body).status == 409);
    CHECK(call(seller, "PATCH", "/v1/proposals/" + first, {{"status", "withdrawn"}}).status == 200);
    CHECK(call(seller, "POST", rfp + "/proposals", body).status == 200);
    // An agent that no longer offers the capability may not answer, but still sees its own
    // proposal.
    test::set_capabilities(seller, json::array());
    CHECK(call(seller, "GET", rfp).status == 200);
    CHECK(call(seller, "POST", rfp + "/proposals", body).status == 403);
}

TEST_CASE("the creator closes, cancels and extends, and never shortens (R23)") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto seller = supplier("Seller", type, {});
    const json late{{"deadline_at", "2099-01-02T00:00:00Z"}};
    const std::string rfp = "/v1/rfps/" + new_rfp(buyer, type, {}, "2099-01-01T00:00:00Z");
    CHECK(call(seller, "PATCH", rfp, late).status == 403);
    CHECK(call(buyer, "PATCH", rfp, {{"deadline_at", "2098-12-31T00:00:00Z"}}).status == 409);
    CHECK(call(buyer, "PATCH", rfp, late).data()["deadline_at"] == "2099-01-02T00:00:00Z");
    CHECK(call(buyer, "PATCH", rfp, late).status == 200);
    CHECK(call(buyer, "PATCH", rfp, json::object()).status == 400);
    CHECK(call(buyer, "PATCH", rfp, {{"deadline_at", "soon and very soon"}}).status == 400);
    CHECK(call(buyer, "PATCH", "/v1/rfps/" + new_rfp(buyer, type, {}), late).status == 409);
    CHECK(call(buyer, "PATCH", rfp, {{"status", "closed"}}).data()["status"] == "closed");
    CHECK(call(buyer, "PATCH", rfp, {{"status", "closed"}}).status == 200);
    CHECK(call(buyer, "PATCH", rfp, {{"status", "cancelled"}}).status == 409);
    CHECK(call(buyer, "PATCH", rfp, {{"status", "open"}}).status == 409);
    CHECK(call(buyer, "PATCH", rfp, {{"deadline_at", "2099-02-01T00:00:00Z"}}).status == 409);
    const json body{{"price", {{"currency", "CNY"}, {"amount", 4000}}}};
    CHECK(call(seller, "POST", rfp + "/proposals", body).status == 409);
}

TEST_CASE("no proposal comes at the deadline or after it, and the RFP closes by itself") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto seller = supplier("Seller", type, {});
    const std::string deadline = to_envelope_time(SystemClock().now_ms() + 2500);
    const std::string rfp = "/v1/rfps/" + new_rfp(buyer, type, {}, deadline);
    CHECK(call(buyer, "GET", rfp).data()["status"] == "open");
    CHECK(test::eventually([&] { return call(buyer, "GET", rfp).data()["status"] == "closed"; }));
    const json body{{"price", {{"currency", "CNY"}, {"amount", 4000}}}};
    const auto late = call(seller, "POST", rfp + "/proposals", body);
    CHECK(late.status == 409);
    CHECK(late.body["message"] == "this RFP is closed and accepts no more proposals");
    CHECK(call(seller, "GET", "/v1/rfps?status=closed").data()["items"].size() == 1);
    CHECK(call(seller, "GET", "/v1/rfps?status=open").data()["items"].empty());
    CHECK(call(buyer, "POST", "/v1/rfps",
               {{"title", "t"},
                {"description", "d"},
                {"capability_type", type},
                {"deadline_at", deadline}})
              .status == 400);
}

TEST_CASE("the same Idempotency-Key creates one RFP; for another body it is a conflict") {
    const auto buyer = plain_agent(server(), "Buyer");
    const auto post = [&](const std::string& title, const std::string& key) {
        const json body{{"title", title}, {"description", "d"}, {"capability_type", "x"}};
        auto request = test::plain_request(buyer, "POST", "/v1/rfps", body.dump());
        request.headers.emplace_back("Idempotency-Key", key);
        return test::send(request);
    };
    const auto first = post("one", "k1");
    REQUIRE(first.status == 200);
    CHECK(post("one", "k1").body == first.body);
    CHECK(post("two", "k1").status == 409);
    CHECK(call(buyer, "GET", "/v1/rfps").data()["items"].size() == 1);
    CHECK(post("one", "k2").data()["rfp_id"] != first.data()["rfp_id"]);
}

TEST_CASE("amounts are decimal major units, read from the text of the body (R27)") {
    const std::string type = unique("type");
    const auto buyer = plain_agent(server(), "Buyer");
    const auto answer = [&](const std::string& price) {
        const auto seller = supplier("Seller", type, {});
        const std::string rfp = "/v1/rfps/" + new_rfp(buyer, type, {});
        return test::send(
            test::plain_request(seller, "POST", rfp + "/proposals", R"({"price":)" + price + "}"));
    };
    const auto amount = [&](const std::string& text, const std::string& currency = "CNY") {
        const auto got = answer(R"({"currency":")" + currency + R"(","amount":)" + text + "}");
        return got.status == 200 ? got.data()["price"]["amount"].dump() : "refused";
    };
    CHECK(amount("5000") == "5000");
    CHECK(amount("5000.0") == "5000");
    CHECK(amount("0.1") == "0.1");
    CHECK(amount("19.90") == "19.9");
    CHECK(amount("\"19.90\"") == "19.9");
    CHECK(amount("9999999999999.99") == "9999999999999.99");
    CHECK(amount("\"90071992547409.91\"") == "\"90071992547409.91\"");
    CHECK(amount("90071992547409") == "90071992547409");
    CHECK(amount("500", "JPY") == "500");
    CHECK(amount("1.234", "KWD") == "1.234");
    for (const char* bad : {"0", "0.00", "-1", "5e3", "1.234", "19.900", "0.1000000000000000055",
                            "90071992547409.91", "90071992547409.92", "\"5 000\"", "\"\"", "true",
                            "null", "[5]", "99999999999999999999", "1e400"}) {
        CAPTURE(bad);
        CHECK(amount(bad) == "refused");
    }
    CHECK(amount("500.0", "JPY") == "refused");
    CHECK(amount("1", "cny") == "refused");
    CHECK(answer("5000").status == 400);
    CHECK(answer(R"({"currency":"CNY"})").status == 400);
}

TEST_CASE("bad bodies are refused, with what was meant") {
    const auto buyer = plain_agent(server(), "Buyer");
    const json good{{"title", "t"}, {"description", "d"}, {"capability_type", "x"}};
    const auto refusal = [&](const json& change) {
        json body = good;
        body.update(change);
        const auto answer = call(buyer, "POST", "/v1/rfps", body);
        CHECK(answer.status == 400);
        return answer.body["message"].get<std::string>();
    };
    CHECK(refusal({{"titel", "t"}}) == "titel is not known; did you mean title?");
    CHECK(refusal({{"budget", {{"currency", "CNY"}, {"maks", 1}}}}).find("did you mean max?") !=
          std::string::npos);
    refusal({{"title", std::string(513, 'x')}});
    refusal({{"title", " \t"}});
    refusal({{"capability_type", "\u3000"}});
    refusal({{"domain_filters", {" "}}});
    refusal({{"domain_filters", json(21, "x")}});
    refusal({{"domain_filters", {1}}});
    refusal({{"description", 7}});
    refusal({{"title", std::string("a\0b", 3)}});
    refusal({{"budget", {{"currency", "CNY"}, {"max", 1.001}}}});
    const auto oversized = test::plain_request(buyer, "POST", "/v1/rfps",
                                               json{{"title", std::string(10u << 20, 'x')}}.dump());
    CHECK(test::send(oversized).status == 413);
}
