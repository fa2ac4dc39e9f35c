// A call of the market whose answer, or whose request, was lost after the owner's yes.

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "core/wire/json_member.h"
#include "tests/integration/daemon/faulty_market.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE("R18: a change that was approved is made once and reported, whatever was lost") {
    Table table;
    const json post{{"type", 3},
                    {"title", "Portraits"},
                    {"content", "An hour."},
                    {"price_type", "FIXED"},
                    {"currency", "CNY"},
                    {"fixed_price", 28'000}};
    const json published = table.approved("works.publish", post);
    REQUIRE_MESSAGE(published["outcome"] == "executed", published.dump());
    const json listed = table.s.seller->call_assistant("works.list");
    json change = post;
    change["works_id"] = listed["data"]["items"][0]["worksId"];
    change["content"] = "Two hours.";
    SUBCASE("the answer is lost") {
        table.fault = Fault::AnswerIsLost;
    }
    SUBCASE("a gateway says that it got no answer") {
        table.fault = Fault::GatewayFails;
    }
    SUBCASE("the answer is no answer of a market") {
        table.fault = Fault::AnswerIsRubbish;
    }
    SUBCASE("the market is said to be busy each time") {
        table.fault = Fault::MarketIsBusy;
    }
    SUBCASE("the request is lost") {
        table.fault = Fault::RequestIsLost;
    }
    SUBCASE("the request is lost and something else answers it") {
        table.fault = Fault::RequestIsLostButAnswered;
    }
    SUBCASE("the request is delivered twice") {
        table.fault = Fault::RequestIsDoubled;
    }
    table.changes = 0;
    const json changed = table.approved("works.update", change);
    CHECK_MESSAGE(changed["outcome"] == "executed", changed.dump());
    CHECK(table.changes == 1);
    CHECK(table.s.seller->call_assistant(
              "works.get", json{{"works_id", change["works_id"]}}.dump())["data"]["content"] ==
          "Two hours.");
    const json open = table.s.seller->call_human("approval.list", R"({"status":"pending"})");
    CHECK_MESSAGE(open["data"]["approvals"].empty(), open.dump());
}

TEST_CASE("R18: a reply whose answer a gateway lost is public once, and not asked about again") {
    Table table;
    const json post{{"title", "Hello"}, {"content", "Who paints?"}};
    const json published = table.approved("discussion.publish", post);
    REQUIRE_MESSAGE(published["outcome"] == "executed", published.dump());
    const json made = json::parse(published["outcome_detail"].get<std::string>());
    REQUIRE_MESSAGE(made.contains("worksId"), made.dump());
    table.fault = Fault::GatewayFails;
    const json reply{
        {"parent_works_id", made["worksId"]}, {"title", "Re: Hello"}, {"content", "We do."}};
    const json replied = table.approved("discussion.reply", reply);
    CHECK_MESSAGE(replied["outcome"] == "executed", replied.dump());
    const auto listed = table.s.market.client(table.s.seller_account)
                            .call("discussion.replies", {{"works_id", made["worksId"]}});
    REQUIRE(listed.has_value());
    CHECK_MESSAGE(wire::list_in(*listed).size() == 1, listed->dump());
    const json open = table.s.seller->call_human("approval.list", R"({"status":"pending"})");
    CHECK_MESSAGE(open["data"]["approvals"].empty(), open.dump());
}

TEST_CASE(
    "R18: deletions, capabilities and requests are done once and reported, whatever was lost") {
    Table table;
    const json self{{"agent_id", table.s.seller_account.agent_id}};
    const json lists{{"capabilities", {{{"type", "photos"}, {"domains", {"weddings"}}}}}};
    table.lose(Fault::AnswerIsLost);
    const json agent = table.done("capability.set", lists, "agent.get", self);
    CHECK(table.changes == 1);
    CHECK_MESSAGE(agent["data"]["capabilities"][0]["type"] == "photos", agent.dump());

    const json wanted{{"title", "T"}, {"description", "D"}, {"capability_type", "photos"}};
    REQUIRE(table.approved("rfp.create", wanted)["outcome"] == "executed");
    const json own = table.s.seller->call_assistant("rfp.list", R"({"role":"creator"})");
    const json rfp{{"rfp_id", own["data"]["items"][0]["rfp_id"]}};
    json change = rfp;
    change["status"] = "closed";
    table.lose(Fault::GatewayFails);
    const json closed = table.done("rfp.update", change, "rfp.get", rfp);
    CHECK(table.changes == 1);
    CHECK_MESSAGE(closed["data"]["status"] == "closed", closed.dump());

    const json post{{"type", 3}, {"title", "Portraits"}, {"content", "An hour."}};
    REQUIRE(table.approved("works.publish", post)["outcome"] == "executed");
    const json listed = table.s.seller->call_assistant("works.list");
    const json works{{"works_id", listed["data"]["items"][0]["worksId"]}};
    table.lose(Fault::RequestIsLostButAnswered);
    const json gone = table.done("works.delete", works, "works.get", works);
    CHECK(table.changes == 1);
    CHECK_MESSAGE(gone["error"]["code"] == "PLATFORM_410", gone.dump());
}

TEST_CASE("R18: an order that was confirmed is not called failed while nothing can be read") {
    Table table;
    MarketClient provider = table.s.market.client(table.s.buyer_account);
    const auto listing = provider.submit_listing({.type = ListingType::Service,
                                                  .title = "Frames",
                                                  .content = "Frames of oak.",
                                                  .expected_price = "300 CNY",
                                                  .service_method = "online",
                                                  .service_location = "",
                                                  .works_id = {}});
    REQUIRE(listing.has_value());
    const auto order =
        provider.call("order.create", {{"customer_id", table.s.seller_account.agent_id},
                                       {"title", "Frames"},
                                       {"content", "Frames of oak."},
                                       {"price_cent", 30'000},
                                       {"currency", "CNY"},
                                       {"product_id", *listing},
                                       {"order_type", 3}});
    REQUIRE_MESSAGE(order.has_value(), order.error().message);
    const json which{{"order_id", order->at("orderId")}};
    json confirm = which;
    confirm["action"] = "confirm";
    table.then_unreadable = true;
    SUBCASE("the answer was lost") {
        table.lose(Fault::AnswerIsLost);
    }
    SUBCASE("the request was delivered twice, and the second time it was refused") {
        table.lose(Fault::RequestIsDoubled);
    }
    const std::jthread back([&table] {
        eventually([&] { return table.is_unreadable.load(); });
        std::this_thread::sleep_for(std::chrono::seconds(3));
        table.is_unreadable = false;
    });
    const json confirmed = table.done("order.action", confirm, "order.get", which);
    CHECK_MESSAGE(confirmed["data"]["status"] == "CONFIRMED", confirmed.dump());
}

TEST_CASE("R18: a change is asked about again when another change of its kind came between") {
    Table table;
    const auto set_to = [](const char* type) {
        return json{{"capabilities", {{{"type", type}, {"domains", json::array()}}}}};
    };
    const json first = table.approved("capability.set", set_to("photos"));
    const json repeated = table.s.seller->call_assistant("capability.set", set_to("photos").dump());
    CHECK_MESSAGE(repeated["ok"] == true, repeated.dump());
    table.approved("capability.set", set_to("films"));
    const json again = table.approved("capability.set", set_to("photos"));
    CHECK(again["approval_id"] != first["approval_id"]);
    CHECK(again["outcome"] == "executed");
}

TEST_CASE("R18: an equal listing of another yes is not taken for the one whose request was lost") {
    Table table;
    const auto priced = [](int minor) {
        return json{{"type", 3},
                    {"title", "Portraits"},
                    {"content", "An hour."},
                    {"price_type", "FIXED"},
                    {"currency", "CNY"},
                    {"fixed_price", minor}};
    };
    REQUIRE(table.approved("works.publish", priced(100))["outcome"] == "executed");
    int second = 100;
    SUBCASE("it is the same in everything, asked for again after another one") {
        REQUIRE(table.approved("works.publish", priced(200))["outcome"] == "executed");
    }
    SUBCASE("it has another price") {
        second = 300;
    }
    table.lose(Fault::RequestIsLost);
    const json again = table.approved("works.publish", priced(second));
    CHECK_MESSAGE(again["outcome"] == "executed", again.dump());
    const json made = json::parse(again["outcome_detail"].get<std::string>());
    const json which{{"works_id", made["worksId"]}};
    const json listed = table.s.seller->call_assistant("works.get", which.dump());
    CHECK_MESSAGE(listed["data"]["extendInfo"]["fixedPrice"] == second, listed.dump());
    const json all = table.s.seller->call_assistant("works.list")["data"]["items"];
    CHECK(all.size() == (second == 100 ? 3 : 2));
}

TEST_CASE(
    "R18: several yeses about one listing are carried out in their order, each as it was shown") {
    Table table;
    json post{{"type", 3}, {"title", "Portraits"}, {"content", "An hour."}};
    REQUIRE(table.approved("works.publish", post)["outcome"] == "executed");
    post["works_id"] = table.s.seller->call_assistant("works.list")["data"]["items"][0]["worksId"];
    json ids = json::array();
    for (const char* content : {"Two hours.", "Three hours."}) {
        post["content"] = content;
        ids.push_back(
            table.s.seller->call_assistant("works.update", post.dump())["error"]["approval_id"]);
    }
    const auto said = table.s.seller->a2h(
        {"approve", ids[0].get<std::string>() + "," + ids[1].get<std::string>(), "--pin-stdin"},
        std::string(Daemon::kPin) + "\n");
    CHECK_MESSAGE(said.status == 0, said.err);
    const auto outcome = [&](const json& id) {
        const json which{{"approval_id", id}};
        return table.s.seller->call_human("approval.list",
                                          which.dump())["data"]["approvals"][0]["outcome"];
    };
    REQUIRE(eventually([&] { return outcome(ids[1]) == "failed"; }));
    CHECK(outcome(ids[0]) == "executed");
    const json which{{"works_id", post["works_id"]}};
    CHECK(table.s.seller->call_assistant("works.get", which.dump())["data"]["content"] ==
          "Two hours.");
}
