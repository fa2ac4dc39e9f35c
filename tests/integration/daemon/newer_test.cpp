#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "tests/integration/daemon/has.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// The seller's question after `text` came; the one before it, if any, is closed by then.
json asked_after(Scene& s, const std::string& text, const std::string& before = "") {
    s.buyer_says(text);
    json open;
    const bool is_asked = eventually([&] {
        open = s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
        return open.size() == 1 && open[0]["approval_id"] != before;
    });
    REQUIRE_MESSAGE(is_asked, open.dump(1));
    return open[0];
}

bool is_closed(Scene& s, const json& asked, std::string_view closed_by) {
    const std::string id = asked["approval_id"];
    return eventually([&] { return s.approval(id)["closed_by"] == closed_by; });
}

/// The yes comes too late, says so, and sends nothing.
void check_too_late(Scene& s, const json& asked) {
    const json late = s.answer(s.seller, asked["approval_id"], "approve");
    CAPTURE(late.dump());
    CHECK(late["ok"] == false);
    CHECK(has(late, "changed meanwhile"));
    REQUIRE(s.no_work_left(s.seller));
    CHECK_FALSE(has(s.replies_to_buyer(), "Agreed"));
}

}  // namespace

TEST_CASE("a newer offer closes the question about the older one; a yes to it says so") {
    Scene s;
    s.publish_listing();
    const json first = asked_after(s, "Would you take 250 CNY?");
    CHECK(first["reply_text"].get<std::string>().starts_with("Agreed: 250.00 CNY"));
    const json second = asked_after(s, "Sorry, only 200 CNY now.", first["approval_id"]);
    CHECK(is_closed(s, first, "newer_message"));
    check_too_late(s, first);

    const std::string wait = json{{"approval_id", first["approval_id"]}}.dump();
    const json told = s.seller.call_assistant("approval.wait", wait)["data"];
    CHECK(told["approval"]["status"] == "cancelled");
    CHECK(told["approval"]["next_approval_id"] == second["approval_id"]);
    CHECK(has(told["next_calls"], second["approval_id"].get<std::string>()));
    const json changes = s.seller.call_assistant("approval.changes", wait)["data"]["changes"];
    CHECK(changes.back()["next_approval_id"] == second["approval_id"]);
    CHECK(has(s.seller.call_human("audit.export"), "newer_message"));

    // A peer that goes back to the first offer causes another question.
    const json third = asked_after(s, "And would you take 250 CNY?", second["approval_id"]);
    CHECK(is_closed(s, second, "newer_message"));
    REQUIRE(s.answer(s.seller, third["approval_id"], "approve")["ok"] == true);
    CHECK(eventually([&] { return has(s.replies_to_buyer(), "Agreed: 250.00 CNY"); }));
}

TEST_CASE("a condition that comes after the offer closes the question without it") {
    Scene s;
    s.publish_listing();
    const json first = asked_after(s, "Would you take 250 CNY?");
    const json second =
        asked_after(s, "But you pay for all damages in the studio.", first["approval_id"]);
    CHECK(second["reply_text"].get<std::string>().find("Agreed") == std::string::npos);
    check_too_late(s, first);
}

TEST_CASE("an offer that the peer has withdrawn can no longer be agreed to") {
    for (const char* words : {"I take it back.", "Forget my offer.", "Never mind.", "No thanks.",
                              "不要了", "收回报价"}) {
        CAPTURE(words);
        Scene s;
        s.publish_listing();
        const json first = asked_after(s, "Would you take 250 CNY?");
        s.buyer_says(words);
        REQUIRE(
            eventually([&] { return s.approval(first["approval_id"])["status"] == "cancelled"; }));
        check_too_late(s, first);
    }
}

TEST_CASE("the owner's own answer closes the question, and a question of theirs does not") {
    Scene s;
    s.publish_listing();
    const json first = asked_after(s, "Would you take 250 CNY?");
    const auto own = [&](std::string_view text) {
        const json sent = s.seller.call_human(
            "send", json{{"target_agent_id", s.buyer_account.agent_id}, {"text", text}}.dump());
        if (sent["ok"] == true) return;
        REQUIRE(s.answer(s.seller, sent["error"]["approval_id"], "approve")["ok"] == true);
    };
    own("Which style do you prefer?");
    REQUIRE(s.no_work_left(s.seller));
    CHECK(s.approval(first["approval_id"])["status"] == "pending");
    own("We can only do it for 270 CNY.");
    CHECK(is_closed(s, first, "own_answer"));
    check_too_late(s, first);
}

TEST_CASE("a courtesy message leaves the question open") {
    Scene s;
    s.publish_listing();
    const json first = asked_after(s, "Would you take 250 CNY?");
    s.buyer_says("Thank you!");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 2; }));
    REQUIRE(s.no_work_left(s.seller));
    CHECK(s.approval(first["approval_id"])["status"] == "pending");
    REQUIRE(s.answer(s.seller, first["approval_id"], "approve")["ok"] == true);
    CHECK(eventually([&] { return has(s.replies_to_buyer(), "Agreed: 250.00 CNY"); }));
}

TEST_CASE("when a yes and a newer offer race, exactly one of them comes first") {
    Scene s;
    s.publish_listing();
    std::string before;
    for (int round = 0; round < 8; ++round) {
        CAPTURE(round);
        const std::string amount = std::to_string(240 + round) + " CNY";
        const json first = asked_after(s, "Would you take " + amount + "?", before);
        const std::string id = first["approval_id"];
        json answered;
        std::thread yes([&] { answered = s.answer(s.seller, id, "approve"); });
        std::thread yes_again([&] { s.answer(s.seller, id, "approve"); });
        s.buyer_says("Sorry, only " + std::to_string(200 + round) + " CNY now.");
        yes.join();
        yes_again.join();
        json open;
        REQUIRE(eventually([&] {
            open = s.seller.call_human("approval.list",
                                       R"({"status":"pending"})")["data"]["approvals"];
            return open.size() == 1 && open[0]["approval_id"] != id;
        }));
        before = open[0]["approval_id"];
        const json now = s.approval(id);
        REQUIRE(s.no_work_left(s.seller));
        const bool agreed = now["status"] == "approved";
        CAPTURE(now.dump());
        CHECK((agreed || now["closed_by"] == "newer_message"));
        CHECK(has(s.replies_to_buyer(), "Agreed: " + std::to_string(240 + round)) == agreed);
    }
}

TEST_CASE("a long offer comes with all of its text, and no yes to its amount alone is drafted") {
    Scene s;
    s.publish_listing();
    const std::string text =
        "Would you take 300.00 CNY for the portrait photo session that your listing describes so "
        "well, on the understanding that you pay for all damages to the hall and travel?";
    const json asked = asked_after(s, text);
    CHECK(asked["reply_text"] == "");
    CHECK(has(asked["context"], text));
    CHECK_FALSE(has(asked["question"], "…"));
    CHECK(s.stored_approval(s.seller, asked["approval_id"]).peer_text == text);
}

TEST_CASE("a mandate takes no number without a currency") {
    Scene s;
    s.publish_listing();
    const json given = s.seller.call_human("mandate.give", json{{"action", "reply.send"},
                                                                {"currency", "CNY"},
                                                                {"amount_from_minor", 100},
                                                                {"count_per_day", 5},
                                                                {"pin", Daemon::kPin}}
                                                               .dump());
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    s.buyer_says("How about 1900 CNY?");
    REQUIRE(eventually([&] { return has(s.replies_to_buyer(), "Agreed: 1900.00 CNY"); }));
    std::string before;
    for (const char* text : {"How about 1800?", "Can you do it at 9?"}) {
        CAPTURE(text);
        const json asked = asked_after(s, text, before);
        before = asked["approval_id"];
        CHECK_FALSE(asked.contains("amount_minor"));
        CHECK(asked["reply_text"] == "");
    }
    CHECK_FALSE(has(s.replies_to_buyer(), "Agreed: 1800.00 CNY"));
}

TEST_CASE("R45: a draft about a listing is asked again without it once the listing has changed") {
    Scene s;
    s.publish_listing();
    const json listed = s.seller.call_assistant("works.list")["data"]["items"][0];
    s.buyer_says("Would you take 211 CNY?");
    const json before = s.open_approval();
    json change{{"works_id", listed["worksId"]}};
    std::string action = "works.delete";
    SUBCASE("it is changed") {
        action = "works.update";
        change.update({{"type", 3},
                       {"title", listed["title"]},
                       {"content", "Ten hours."},
                       {"price_type", "FIXED"},
                       {"currency", "CNY"},
                       {"fixed_price", 99'000}});
    }
    SUBCASE("it is gone") {}
    const json asked = s.seller.call_assistant(action, change.dump());
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    s.approve(s.seller, asked["error"]["approval_id"]);
    REQUIRE(eventually([&] { return s.approval(before["approval_id"])["status"] == "cancelled"; }));
    const json after = s.open_approval();
    CHECK_MESSAGE(after["question"].dump().find("has changed or is gone") != std::string::npos,
                  after.dump());
    CHECK_MESSAGE(after.dump().find("280.00") == std::string::npos, after.dump());
    CHECK(after.value("reply_text", "") == "");
    CHECK(after.value("reject_text", "") == "");
    CHECK(s.answer(s.seller, before["approval_id"], "approve")["ok"] == false);
}

TEST_CASE("a draft about a listing that stays as it was survives a restart") {
    Scene s;
    s.publish_listing();
    s.buyer_says("Would you take 211 CNY?");
    const json before = s.open_approval();
    s.seller.stop();
    s.seller.start();
    REQUIRE(s.seller.connected());
    std::this_thread::sleep_for(std::chrono::seconds(2));  // the listings have been read again
    const json after = s.open_approval();
    CHECK(after["approval_id"] == before["approval_id"]);
    CHECK(after["reply_text"] == before["reply_text"]);
}
