// Listings and orders through the tools of two daemons at a real market.

#include <doctest/doctest.h>

#include "core/base/ids.h"
#include "core/store/notification_store.h"
#include "core/store/setting_store.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

struct Trade : Scene {
    /// The approval that `call` led to.
    std::string asked(Daemon& daemon, const char* action, const json& call) {
        const json result = daemon.call_assistant(action, call.dump());
        REQUIRE_MESSAGE(result.contains("error"), result.dump());
        REQUIRE_MESSAGE(result["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", result.dump());
        return result["error"]["approval_id"];
    }
    json row(Daemon& daemon, const std::string& id) {
        const json all = daemon.call_human("approval.list")["data"]["approvals"];
        for (const json& entry : all) {
            if (entry["approval_id"] == id) return entry;
        }
        return json::object();
    }
    /// The result of `call` after the human's yes.
    json approved(Daemon& daemon, const char* action, const json& call) {
        const std::string id = asked(daemon, action, call);
        REQUIRE(answer(daemon, id, "approve")["ok"] == true);
        REQUIRE(eventually([&] {
            const json outcome = row(daemon, id)["outcome"];
            return outcome != "none" && outcome != "executing";
        }));
        const json entry = row(daemon, id);
        REQUIRE_MESSAGE(entry["outcome"] == "executed", entry.dump());
        return json::parse(entry["outcome_detail"].get<std::string>());
    }
    json data(Daemon& daemon, const char* action, const json& call) {
        const json result = daemon.call_assistant(action, call.dump());
        REQUIRE_MESSAGE(result.value("ok", false), result.dump());
        return result["data"];
    }
    std::string refused(Daemon& daemon, const char* action, const json& call) {
        const json result = daemon.call_assistant(action, call.dump());
        REQUIRE_MESSAGE(result.contains("error"), result.dump());
        return result["error"]["code"];
    }
    std::string listing() {
        publish_listing();
        return data(seller, "works.list", json::object())["items"][0]["worksId"];
    }
    json order_call(const std::string& works_id) const {
        return {{"customer_id", buyer_account.agent_id},
                {"title", "Portrait photo session"},
                {"content", "Saturday at ten"},
                {"price_cent", 28'000},
                {"currency", "CNY"},
                {"product_id", works_id},
                {"order_type", 3}};
    }
    std::string new_order() {
        return approved(seller, "order.create", order_call(listing()))["orderId"];
    }
    /// True if the market has sent `daemon` the event that the order is in `state`.
    bool told(Daemon& daemon, const std::string& state) {
        return eventually([&] {
            const json events = daemon.call_human("events.list")["data"]["events"];
            return events.dump().find("is now " + state) != std::string::npos;
        });
    }
};

json step(const std::string& order_id, const char* action) {
    return {{"order_id", order_id}, {"action", action}};
}

}  // namespace

TEST_CASE(
    "R45: an order that the other side has moved closes the question that it makes pointless") {
    Trade s;
    const std::string order_id = s.new_order();
    const std::string asked = s.asked(s.buyer, "order.action", step(order_id, "confirm"));
    s.approved(s.seller, "order.action", step(order_id, "cancel"));
    REQUIRE(s.told(s.buyer, "CANCELLED"));
    CHECK(eventually([&] { return s.row(s.buyer, asked)["status"] == "cancelled"; }));
    const json late = s.answer(s.buyer, asked, "approve");
    CHECK(late["ok"] == false);
    CHECK_MESSAGE(late.dump().find("changed at the market") != std::string::npos, late.dump());
    // The provider may cancel only what is not confirmed yet.
    json other =
        s.order_call(s.data(s.seller, "works.list", json::object())["items"][0]["worksId"]);
    other["content"] = "Sunday at ten";
    const std::string second = s.approved(s.seller, "order.create", other)["orderId"];
    const std::string to_cancel = s.asked(s.seller, "order.action", step(second, "cancel"));
    s.approved(s.buyer, "order.action", step(second, "confirm"));
    CHECK(eventually([&] { return s.row(s.seller, to_cancel)["status"] == "cancelled"; }));
}

TEST_CASE("an order goes from the seller's yes to completion, each step with its human's yes") {
    Trade t;
    const std::string id = t.new_order();
    CHECK(id.starts_with("WKS"));
    CHECK(t.data(t.buyer, "order.get", {{"order_id", id}})["currentType"] == 1);
    CHECK(t.approved(t.buyer, "order.action", step(id, "confirm"))["status"] == "CONFIRMED");
    CHECK(t.approved(t.seller, "order.action", step(id, "confirm-received"))["status"] == "PAID");
    CHECK(t.approved(t.buyer, "order.action", step(id, "confirm-service-completed"))["status"] ==
          "COMPLETED");
    const json sales = t.data(t.seller, "order.list", {{"role", "sales"}, {"status", "COMPLETED"}});
    CHECK(sales["list"][0]["orderId"] == id);
    CHECK(t.data(t.buyer, "order.list", {{"role", "purchase"}})["total"] == 1);
    CHECK(t.told(t.seller, "COMPLETED"));
    CHECK(t.told(t.buyer, "PAID"));
    // No agent answers the market's messages.
    CHECK(t.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"]
              .empty());
}

TEST_CASE("the market's key stays pinned although it used an agent's id before an upgrade") {
    Trade t;
    const auto home = t.buyer.home() / "a2hd.db";
    const std::string& id = t.buyer_account.agent_id;
    const auto pinned = [&] {
        const auto db = store::Database::open(home, store::Database::Mode::ReadOnly);
        return store::get_setting(**db, id, "market").value().value_or("");
    };
    REQUIRE(eventually([&] { return !pinned().empty(); }));
    const json now = json::parse(pinned());
    json before = now;
    before["agent_id"] = agent_of_market_sender(now["agent_id"].get<std::string>());
    CHECK(is_agent_id(before["agent_id"].get<std::string>()));
    t.buyer.stop();
    {
        const auto db = store::Database::open(home, store::Database::Mode::ReadWrite);
        REQUIRE(store::put_setting(**db, id, "market", before.dump()));
    }
    t.buyer.start();
    REQUIRE(t.buyer.connected());
    t.new_order();
    CHECK(t.told(t.buyer, "PENDING_CONFIRM"));
    CHECK(eventually([&] { return json::parse(pinned()) == now; }));
    const auto db = store::Database::open(home, store::Database::Mode::ReadOnly);
    for (const Notification& news : store::list_notifications(**db, 100).value())
        CHECK(news.kind != "key.changed");
}

TEST_CASE("the human is asked with action, peer, title and amount, and bound to them") {
    Trade t;
    const std::string id = t.new_order();
    const std::string approval_id = t.asked(t.buyer, "order.action", step(id, "confirm"));
    const json row = t.row(t.buyer, approval_id);
    const std::string question = row["question"];
    CHECK(question.find("280.00 CNY") != std::string::npos);
    CHECK(question.find("Portrait photo session") != std::string::npos);
    CHECK(question.find(t.seller_account.agent_id) != std::string::npos);
    CHECK(row["amount_minor"] == 28'000);
    CHECK(row["peer_id"] == t.seller_account.agent_id);
    // The same call asks no second time.
    const json again = t.buyer.call_assistant("order.action", step(id, "confirm").dump());
    CHECK(again["error"]["approval_id"] == approval_id);
    REQUIRE(t.answer(t.buyer, approval_id, "reject")["ok"] == true);
    CHECK(t.data(t.buyer, "order.get", {{"order_id", id}})["status"] == "PENDING_CONFIRM");
}

TEST_CASE("wrong steps are refused before anybody is asked; a step that was done is reported") {
    Trade t;
    const std::string id = t.new_order();
    CHECK(t.refused(t.seller, "order.action", step(id, "confirm")) == "PLATFORM_401");
    CHECK(t.refused(t.buyer, "order.action", step(id, "confirm-service-completed")) == "conflict");
    CHECK(t.refused(t.buyer, "order.get", {{"order_id", "WKS0"}}) == "PLATFORM_410");
    t.approved(t.buyer, "order.action", step(id, "reject"));
    const json again = t.buyer.call_assistant("order.action", step(id, "reject").dump());
    CHECK(again["ok"] == true);
    CHECK(t.refused(t.seller, "order.action", step(id, "cancel")) == "conflict");
}

TEST_CASE("after an instruction the same call is asked again once the peer has written") {
    Trade s;
    const json call = s.order_call(s.listing());
    const std::string first = s.asked(s.seller, "order.create", call);
    REQUIRE(s.answer(s.seller, first, "Ask them about the colour first.")["ok"] == true);
    CHECK(s.seller.call_assistant("order.create", call.dump())["error"]["approval_id"] == first);
    s.buyer_says("It is blue.");
    std::string second;
    REQUIRE(eventually([&] {
        const json again = s.seller.call_assistant("order.create", call.dump());
        second = again["error"].value("approval_id", first);
        return second != first;
    }));
    CHECK(s.row(s.seller, second)["status"] == "pending");
}

TEST_CASE("an approved step is not taken when the order has moved meanwhile") {
    Trade t;
    const std::string id = t.new_order();
    const std::string confirm = t.asked(t.buyer, "order.action", step(id, "confirm"));
    t.approved(t.seller, "order.action", step(id, "cancel"));
    const json late = t.answer(t.buyer, confirm, "approve");
    // The market's news come before the yes, or after it.
    if (late["ok"] != true) {
        CHECK_MESSAGE(late.dump().find("changed meanwhile") != std::string::npos, late.dump());
        return;
    }
    CHECK(eventually([&] { return t.row(t.buyer, confirm)["outcome"] == "failed"; }));
    CHECK(t.row(t.buyer, confirm)["outcome_detail"].get<std::string>().find("CANCELLED") !=
          std::string::npos);
}

TEST_CASE("a listing is changed and deleted after a yes each, and only by its owner") {
    Trade t;
    const std::string id = t.listing();
    const json change{{"works_id", id},        {"type", 3},         {"title", "Portraits"},
                      {"price_type", "FIXED"}, {"currency", "CNY"}, {"fixed_price", 30'000}};
    CHECK(t.refused(t.buyer, "works.update", change) == "PLATFORM_401");
    t.approved(t.seller, "works.update", change);
    const json post = t.data(t.buyer, "works.get", {{"works_id", id}});
    CHECK(post["title"] == "Portraits");
    CHECK(post["content"] == "One hour in the studio, ten edited pictures.");
    CHECK(post["extendInfo"]["fixedPrice"] == 30'000);
    CHECK(post["extendInfo"]["expectedPrice"] == "300.00 CNY");
    t.approved(t.seller, "works.delete", {{"works_id", id}});
    CHECK(t.refused(t.buyer, "works.get", {{"works_id", id}}) == "PLATFORM_410");
    // The same call again returns the outcome of the first.
    CHECK(t.seller.call_assistant("works.delete", json{{"works_id", id}}.dump())["ok"] == true);
}

TEST_CASE("with the market away nothing happens, and with it back the yes is carried out") {
    Trade t;
    const std::string works_id = t.listing();
    const std::string approval_id = t.asked(t.seller, "order.create", t.order_call(works_id));
    t.market.stop_market();
    REQUIRE(t.answer(t.seller, approval_id, "approve")["ok"] == true);
    t.market.start_market();
    CHECK(eventually([&] { return t.row(t.seller, approval_id)["outcome"] == "executed"; },
                     std::chrono::seconds(30)));
    CHECK(t.data(t.seller, "order.list", {{"role", "sales"}})["total"] == 1);
}
