// No message is sent without its permit.

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
    const auto arrived = [&] { return in_history(s.seller_account, s.buyer_account); };
    CHECK(leaves ? eventually([&] { return arrived() == 1; }) : arrived() == 0);
    CHECK(s.has_problem("outbox.dead") == !leaves);
    if (leaves) return;
    const json id{{"id", row()["id"]}};
    CHECK(s.seller->call_owner("outbox.requeue", id.dump())["ok"] == false);
}

TEST_CASE("R63: a yes that somebody wrote into the database carries nothing out") {
    Strangers s;
    s.up();
    const json post{
        {"type", 3}, {"title", "Portraits"}, {"content", "An hour."}, {"expected_price", "5 CNY"}};
    const json asked = s.seller->call_assistant("works.publish", post.dump());
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const std::string id = asked["error"]["approval_id"];
    const char* outcome = "none";
    SUBCASE("not carried out yet") {}
    SUBCASE("begun and interrupted") {
        outcome = "executing";
    }
    s.seller->stop();
    {
        SQLite::Database db((s.seller->home() / "a2hd.db").string(), SQLite::OPEN_READWRITE);
        REQUIRE(db.exec("update approval set status = 'approved', answered_by = 'human', "
                        "surface = 'terminal', answered_at_ms = 1, outcome = '" +
                        std::string(outcome) + "'") == 1);
    }
    s.seller->start();
    REQUIRE(s.seller->connected());
    const auto row = [&] {
        return s.seller->call_human("approval.list",
                                    json{{"approval_id", id}}.dump())["data"]["approvals"][0];
    };
    const char* end = std::string(outcome) == "none" ? "failed" : "unknown";
    REQUIRE(eventually([&] { return row()["outcome"] == end; }));
    CHECK(row()["outcome_detail"].get<std::string>().find("changed in the database") !=
          std::string::npos);
    CHECK(s.seller->call_assistant("works.list")["data"]["items"].empty());
    CHECK(s.seller->a2h({"why", id}, {}, "en_US.UTF-8").out.find("holds no such answer") !=
          std::string::npos);
}

TEST_CASE("a2h why shows by what right a message left and who changed a listing") {
    Strangers s;
    s.up();
    const json greeting{{"target_agent_id", s.buyer_account.agent_id}, {"text", "Good morning!"}};
    const json sent = s.seller->call_assistant("send", greeting.dump());
    REQUIRE_MESSAGE(sent["ok"] == true, sent.dump());
    const std::string message_id =
        s.seller->call_human("outbox.list")["data"]["items"][0]["message_id"];
    const auto why = [&](const std::string& id, const char* language) {
        return s.seller->a2h({"why", id}, {}, language).out;
    };
    CHECK(why(message_id, "en_US.UTF-8").find("it commits you to nothing (send)") !=
          std::string::npos);
    const std::string chinese = why(message_id, "zh_CN.UTF-8");
    CHECK_MESSAGE(chinese.find("不会让您承担任何义务") != std::string::npos, chinese);
    CHECK_MESSAGE(chinese.find("delivered") == std::string::npos, chinese);
    {
        SQLite::Database db((s.seller->home() / "a2hd.db").string(), SQLite::OPEN_READWRITE, 5'000);
        REQUIRE(db.exec(R"(update outbox set payload_json = '{"text":"Deal!"}')") == 1);
    }
    CHECK(why(message_id, "en_US.UTF-8").find("changed in the database") != std::string::npos);

    const json post{
        {"type", 3}, {"title", "Portraits"}, {"content", "An hour."}, {"expected_price", "5 CNY"}};
    const json asked = s.seller->call_assistant("works.publish", post.dump());
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const std::string approval_id = asked["error"]["approval_id"];
    const std::string open = why(approval_id, "en_US.UTF-8");
    CHECK_MESSAGE(open.starts_with("Question " + approval_id + ", 20"), open);
    CHECK_MESSAGE(open.find(": waits for you\n") != std::string::npos, open);
    const json yes{{"approval_id", approval_id}, {"decision", "approve"}, {"pin", Daemon::kPin}};
    REQUIRE(s.seller->call_human("approval.answer", yes.dump())["ok"] == true);
    json listings;
    REQUIRE(eventually([&] {
        listings = s.seller->call_assistant("works.list")["data"]["items"];
        return !listings.empty();
    }));
    const std::string works_id = listings[0]["worksId"];
    REQUIRE(eventually(
        [&] { return why(works_id, "en_US.UTF-8").find(approval_id) != std::string::npos; }));
    const std::string told = why(works_id, "en_US.UTF-8");
    CHECK_MESSAGE(told.find("Answered by human (terminal).") != std::string::npos, told);
    CHECK(s.seller->a2h({"why", "msg_none"}).status != 0);
}
