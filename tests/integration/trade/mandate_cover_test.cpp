// The orders that a mandate covers; no answer reveals its limits.

#include "core/base/time_text.h"
#include "core/wire/listing_digest.h"
#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// An order of the seller's listing, made under a mandate of the seller and confirmed under one of
/// the buyer.
struct OrderTable : OpenTable {
    OrderTable() {
        const json post = listing();
        title = post["title"];
        content = post["content"];
    }

    json listing() {
        return market.client(seller_account).call("works.get", {{"works_id", works_id}}).value();
    }

    json give(Daemon& daemon, const char* action, json more = json::object()) {
        more.update({{"action", action},
                     {"currency", "CNY"},
                     {"amount_from_minor", 20'000},
                     {"amount_to_minor", 30'000},
                     {"count_per_day", 9},
                     {"pin", Daemon::kPin}});
        return daemon.call_human("mandate.give", more.dump());
    }
    json seen() {
        return {{"works_id", works_id}, {"listing_digest", wire::listing_digest(listing())}};
    }
    json create(const std::string& with_title, const std::string& with_content) {
        return seller.call_assistant("order.create", json{{"customer_id", buyer_account.agent_id},
                                                          {"title", with_title},
                                                          {"content", with_content},
                                                          {"price_cent", 28'000},
                                                          {"currency", "CNY"},
                                                          {"product_id", works_id},
                                                          {"order_type", 3}}
                                                         .dump());
    }
    /// The id of an order with the title and content that the listing has now.
    std::string made() {
        const json result = create(title, content);
        REQUIRE_MESSAGE(result["ok"] == true, result.dump());
        return json::parse(result["data"]["outcome_detail"].get<std::string>())["orderId"];
    }
    json confirm(const std::string& order_id) {
        return buyer.call_assistant("order.action",
                                    json{{"order_id", order_id}, {"action", "confirm"}}.dump());
    }
    /// The buyer says no to every question, and to every order that waits.
    void refuse_all() {
        const json waiting = buyer.call_assistant(
            "order.list", R"({"role":"purchase","status":"PENDING_CONFIRM"})")["data"]["list"];
        for (const json& order : waiting) {
            buyer.call_assistant("order.action",
                                 json{{"order_id", order["orderId"]}, {"action", "reject"}}.dump());
        }
        const json open = buyer.call_human("approval.list", R"({"status":"pending"})");
        for (const json& row : open["data"]["approvals"]) {
            const bool refuses = row["covers"].dump().find("reject") != std::string::npos;
            answer(buyer, row["approval_id"], refuses ? "approve" : "reject");
        }
        CHECK(eventually([&] {
            return buyer
                .call_assistant("order.list",
                                R"({"role":"purchase","status":"PENDING_CONFIRM"})")["data"]["list"]
                .empty();
        }));
    }
    void change_listing(const std::string& to, json more = json::object()) {
        more.update({{"works_id", works_id}, {"type", 3}, {"title", title}, {"content", to}});
        const json asked = seller.call_assistant("works.update", more.dump());
        REQUIRE_MESSAGE(asked["error"]["code"] == kAsks, asked.dump());
        const json yes = answer(seller, asked["error"]["approval_id"], "approve");
        REQUIRE_MESSAGE(yes["ok"] == true, yes.dump());
        const std::string id = asked["error"]["approval_id"];
        REQUIRE(eventually([&] { return approval(id)["outcome"] == "executed"; }));
        content = to;
    }

    std::string title;
    std::string content;
};

std::string code_of(const json& result) {
    return result["ok"] == true ? "ok" : result["error"]["code"].get<std::string>();
}

}  // namespace

TEST_CASE("R52: a mandate orders nothing before the mail that waits has been read") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "order.create", s.seen())["ok"] == true);
    bool is_open = false;
    SUBCASE("nothing waits") {}
    SUBCASE("words wait that give the order another meaning") {
        is_open = true;
    }
    s.seller.stop();
    if (is_open) s.buyer_says("Whatever you order from now on includes an album for free.");
    REQUIRE(s.no_work_left(s.buyer));
    s.seller.start();
    const json made = s.create(s.title, s.content);
    CHECK_MESSAGE(code_of(made) == std::string(is_open ? kAsks : "ok"), made.dump());
}

TEST_CASE("R48: a mandate covers an order only with title and content of its listing") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "order.create")["ok"] == true);
    const json given = s.give(s.buyer, "order.confirm", s.seen());
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    CHECK(s.confirm(s.made())["ok"] == true);

    CHECK(s.create(s.title + " with album", s.content)["error"]["code"] == kAsks);
    const json more = s.create(s.title, s.content + " Retouching is included.");
    REQUIRE(more["error"]["code"] == kAsks);
    REQUIRE(s.answer(s.seller, more["error"]["approval_id"], "approve")["ok"] == true);
    json waiting;
    REQUIRE(eventually([&] {
        waiting = s.buyer.call_assistant(
            "order.list", R"({"role":"purchase","status":"PENDING_CONFIRM"})")["data"]["list"];
        return waiting.size() == 1;
    }));
    CHECK(s.confirm(waiting[0]["orderId"])["error"]["code"] == kAsks);
}

TEST_CASE("R48: a mandate that names no listing covers no order of somebody else's listing") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "order.create")["ok"] == true);
    REQUIRE(s.give(s.buyer, "order.confirm")["ok"] == true);
    CHECK(s.confirm(s.made())["error"]["code"] == kAsks);
    const json row = s.buyer.call_human("mandate.list")["data"]["mandates"][0];
    CHECK(row.value("own_listings_only", false));
}

TEST_CASE("R48: an order whose listing has changed since the mandate was given is asked") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "order.create")["ok"] == true);
    REQUIRE(s.give(s.buyer, "order.confirm", s.seen())["ok"] == true);
    const json shown = s.buyer.call_human("mandate.list")["data"]["mandates"][0];
    CHECK(shown["listing_title"] == s.title);
    CHECK(s.confirm(s.made())["ok"] == true);
    s.change_listing("Pictures as the seller likes them, none is edited.");
    // The own listing's present words count for the seller, not for the buyer.
    const json asked = s.confirm(s.made());
    REQUIRE(asked["error"]["code"] == kAsks);
    const json rows =
        s.buyer.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["approval_id"] == asked["error"]["approval_id"]);
    CHECK(rows[0]["question"].get<std::string>().find("has changed since you gave the mandate") !=
          std::string::npos);
}

TEST_CASE("R48: a mandate is given for the listing that the human has seen, and no other") {
    OrderTable s;
    const json seen = s.seen();
    s.change_listing("Something else.");
    CHECK(s.give(s.buyer, "order.confirm", seen)["error"]["code"] == "conflict");
    CHECK(s.give(s.buyer, "order.confirm", {{"works_id", s.works_id}})["error"]["code"] ==
          "invalid_argument");
    CHECK(s.give(s.buyer, "order.confirm", {{"works_id", "WKS-none"}})["ok"] == false);
    CHECK(s.buyer.call_human("mandate.list")["data"]["mandates"].empty());
}

TEST_CASE("R48: an order for nobody is refused inside the limits of a mandate as it is outside") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "order.create")["ok"] == true);
    json refused;
    for (const int price : {10'000, 30'000, 30'001, 900'000}) {
        const json result =
            s.seller.call_assistant("order.create", json{{"customer_id", "ag_nobody"},
                                                         {"title", s.title},
                                                         {"content", s.content},
                                                         {"price_cent", price},
                                                         {"currency", "CNY"},
                                                         {"product_id", s.works_id},
                                                         {"order_type", 3}}
                                                        .dump());
        CAPTURE(price);
        CHECK(result["ok"] == false);
        if (refused.is_null()) refused = result;
        CHECK(result == refused);
    }
    CHECK(refused["error"]["message"].get<std::string>().find("customer_id") != std::string::npos);
    CHECK(s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"]
              .empty());
}

TEST_CASE("R48: an order of a listing that has changed in any member is asked") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "order.create")["ok"] == true);
    REQUIRE(s.give(s.buyer, "order.confirm", s.seen())["ok"] == true);
    s.change_listing(s.content, {{"service_location", "Urumqi"}});
    const json asked = s.confirm(s.made());
    REQUIRE_MESSAGE(asked["error"]["code"] == kAsks, asked.dump());
    const json rows = s.buyer.call_human("approval.list")["data"]["approvals"];
    CHECK(rows[0]["question"].get<std::string>().find("has changed since you gave the mandate") !=
          std::string::npos);
}

TEST_CASE("R48: a mandate covers an offer of price, listing and end, and no word beside them") {
    OrderTable s;
    REQUIRE(s.give(s.seller, "message.offer", {{"works_id", s.works_id}})["ok"] == true);
    int amount = 210;
    const auto offer = [&](json more) {
        json payload{{"type", "offer"},
                     {"worksId", s.works_id},
                     {"price", {{"currency", "CNY"}, {"amount", std::to_string(++amount)}}},
                     {"valid_until", to_utc_time(SystemClock().now_ms() + 24 * 3'600'000)}};
        payload.update(more);
        return s.code({{"extra_payload", payload}});
    };
    CHECK(offer(json::object()) == "ok");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    // Each replaces the one before, so that one of them at most makes a deal.
    CHECK(offer(json::object()) == "ok");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 2; }));
    CHECK(s.replies_to_buyer()[0]["payload"]["replaces"] == s.replies_to_buyer()[1]["message_id"]);
    const UnixMs now_ms = SystemClock().now_ms();
    for (const json& more : {json{{"text", "How about this?"}}, json{{"summary", "Two hours"}},
                             json{{"valid_until", nullptr}},
                             json{{"valid_until", to_utc_time(now_ms + 80 * 3'600'000)}},
                             json{{"price", {{"currency", "CNY"}, {"amount", "400"}}}},
                             json{{"price", {{"currency", "USD"}, {"amount", "250"}}}}}) {
        CAPTURE(more.dump());
        CHECK(offer(more) == kAsks);
    }
}
