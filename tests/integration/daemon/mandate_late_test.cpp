// Messages and calls that a mandate has released and that could not be made at once.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "core/control/client.h"
#include "core/control/home.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "tests/integration/daemon/faulty_market.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

/// A seller with a listing at 280 CNY.
struct Shop : Table {
    json give(const std::string& action, json more = json::object()) {
        more.update({{"action", action},
                     {"currency", "CNY"},
                     {"amount_from_minor", 26'000},
                     {"amount_to_minor", 30'000},
                     {"count_per_day", 9},
                     {"pin", Daemon::kPin}});
        return s.seller->call_human("mandate.give", more.dump());
    }
    json listing() {
        return s.seller->call_assistant("works.get", json{{"works_id", works_id}}.dump())["data"];
    }

    const std::string works_id =
        json::parse(approved("works.publish", {{"type", 3},
                                               {"title", "Portraits"},
                                               {"content", "An hour."},
                                               {"price_type", "FIXED"},
                                               {"currency", "CNY"},
                                               {"fixed_price", 28'000}})["outcome_detail"]
                        .get<std::string>())["worksId"];
};

/// Runs the seller's a2hd until it ends at a fault point.
void run_to(const Strangers& s, const std::string& step) {
    Process dying({.argv = {A2H_BIN_DIR "/a2hd", "--home", s.seller->home().string()},
                   .environment = {{"A2H_FAULT_POINT", step}},
                   .stdout_file = s.dir.path() / "a2hd.out",
                   .stderr_file = s.dir.path() / "a2hd.log",
                   .pipe_stdin = false});
    REQUIRE_MESSAGE(dying.wait(kSlowdown * std::chrono::seconds(20)),
                    "a2hd did not reach the step");
}

/// Calls over a connection of its own; the answer may never come.
void order_as_assistant(const std::filesystem::path& home, json order) {
    const auto client = control::Client::connect(control::Home{home}.socket_file());
    order["face"] = "assistant";
    if (client) static_cast<void>((*client)->call("order.create", order.dump(), 10s));
}

}  // namespace

TEST_CASE("R52: a mandate's message that was queued waits for news that only the market has") {
    Shop shop;
    Strangers& s = shop.s;
    const json given = shop.give("reply.send");
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    s.seller->stop();
    s.buyer_says("Would you take 270 CNY?");
    run_to(s, "dispatch.1:1");
    const auto state = [&] {
        return s.seller->call_human("outbox.list")["data"]["items"][0]["state"];
    };
    SUBCASE("there is none") {
        s.seller->start();
    }
    SUBCASE("there is some") {
        shop.has_news = true;
        s.seller->start();
        REQUIRE(s.has_asked());
        std::this_thread::sleep_for(std::chrono::seconds(3));
        CHECK(state() == "queued");
        shop.has_news = false;
    }
    CHECK(eventually([&] { return state() == "sent"; }));
}

TEST_CASE("R52: a call of a mandate that was lost is repeated only if the mandate still says yes") {
    Shop shop;
    Strangers& s = shop.s;
    const json listing = shop.listing();
    const json given =
        shop.give("order.create",
                  {{"works_id", shop.works_id}, {"listing_digest", wire::listing_digest(listing)}});
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    const json order{{"customer_id", s.buyer_account.agent_id},
                     {"title", listing["title"]},
                     {"content", listing["content"]},
                     {"price_cent", 28'000},
                     {"currency", "CNY"},
                     {"product_id", shop.works_id},
                     {"order_type", 3}};
    shop.lose(Fault::MarketIsAway);
    const std::jthread call([&order, home = s.seller->home()] { order_as_assistant(home, order); });
    REQUIRE(eventually([&] { return shop.lost > 0; }));
    bool is_done = false;
    SUBCASE("nothing has changed") {
        is_done = true;
    }
    SUBCASE("nothing has changed, and a2hd was killed") {
        is_done = true;
        s.seller->kill();
        s.seller->start();
    }
    SUBCASE("the owner has revoked it") {
        REQUIRE(s.seller->call_human("mandate.revoke_all")["data"]["revoked"] == 1);
    }
    SUBCASE("the peer has written") {
        s.buyer_says("Whatever you order from now on includes an album for free.");
    }
    SUBCASE("the peer has written, and a2hd was killed") {
        s.seller->kill();
        s.buyer_says("Whatever you order from now on includes an album for free.");
        s.seller->start();
    }
    shop.fault = Fault::None;
    const auto outcome = [&] {
        const json all = s.seller->call_human("approval.list")["data"]["approvals"];
        const auto row = std::find_if(all.begin(), all.end(), [](const json& each) {
            return each.value("surface", "") == "mandate";
        });
        return row == all.end() ? std::string() : row->value("outcome", "");
    };
    CHECK_MESSAGE(eventually([&] { return outcome() == (is_done ? "executed" : "unknown"); }),
                  s.seller->call_human("approval.list").dump());
    const auto orders = s.market.client(s.seller_account).call("order.list", {{"role", "sales"}});
    REQUIRE(orders.has_value());
    CHECK_MESSAGE(wire::list_in(*orders).size() == (is_done ? 1 : 0), orders->dump());
}
