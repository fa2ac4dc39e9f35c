// Nothing leaves without its permit.

#include <doctest/doctest.h>

#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/integration/daemon/strangers.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE("R58: a message that was changed in the database, or has no permit, never leaves") {
    Strangers s;
    s.up();
    s.seller->stop();
    s.queue_at_seller("Good morning!", "rule:greeting");
    const auto change = [&](const std::string& what) {
        SQLite::Database db((s.seller->home() / "a2hd.db").string(), SQLite::OPEN_READWRITE);
        REQUIRE(db.exec("update outbox set " + what) == 1);
    };
    bool leaves = false;
    SUBCASE("as it was queued") {
        leaves = true;
    }
    SUBCASE("a message from before the upgrade") {
        leaves = true;
        change("permit_right = 'before_permits', permit_digest = ''");
        SQLite::Database db((s.seller->home() / "a2hd.db").string(), SQLite::OPEN_READWRITE);
        db.exec("delete from setting where key = 'permits.old_taken_over'");
    }
    SUBCASE("one that claims to be from before the upgrade") {
        change("permit_right = 'before_permits', permit_digest = ''");
    }
    SUBCASE("an unknown right") {
        change("permit_right = 'because', permit_digest = ''");
    }
    SUBCASE("another text") {
        change(R"(payload_json = '{"text":"I take it for 280 CNY."}')");
    }
    SUBCASE("another receiver") {
        change("target_id = '" + s.market.register_agent("third").agent_id + "'");
    }
    SUBCASE("another type") {
        change("message_type = 'order_confirmed'");
    }
    SUBCASE("no permit") {
        change("permit_right = 'none', permit_digest = ''");
    }
    s.seller->start();
    const auto row = [&] { return s.seller->call_human("outbox.list")["data"]["items"][0]; };
    REQUIRE(eventually([&] { return row()["state"] != "queued"; }));
    CHECK(row()["state"] == (leaves ? "sent" : "dead"));
    if (leaves) CHECK(row()["right"] != "none");
    CHECK(in_history(s.seller_account, s.buyer_account) == (leaves ? 1 : 0));
    CHECK(s.has_problem("outbox.dead") == !leaves);
}
