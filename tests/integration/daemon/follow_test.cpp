#include <chrono>
#include <future>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/daemon/scene.h"

using a2h::test::Daemon;
using a2h::test::eventually;
using a2h::test::Scene;
using nlohmann::json;

namespace {

/// Asks for a yes to a text and returns the approval's id.
std::string ask(Scene& s, const std::string& text = "Deal at 90 CNY") {
    const json call{{"target_agent_id", s.seller_account.agent_id}, {"text", text}};
    return s.buyer.call_assistant("send", call.dump())["error"]["approval_id"];
}

json wait(Scene& s, const json& arguments) {
    return s.buyer.call_assistant("approval.wait", arguments.dump());
}

json changes(Scene& s, const json& arguments) {
    return s.buyer.call_assistant("approval.changes", arguments.dump())["data"];
}

}  // namespace

TEST_CASE(
    "a wait ends when the human has decided, and tells what was decided and what comes next") {
    Scene s;
    const std::string id = ask(s);
    auto waiting = std::async(std::launch::async, [&] {
        return wait(s, {{"approval_id", id}, {"timeout_seconds", 20}});
    });
    REQUIRE(s.answer(s.buyer, id, "approve")["ok"] == true);
    const json answered = waiting.get();
    REQUIRE_MESSAGE(answered["ok"] == true, answered.dump());
    const json& data = answered["data"];
    CHECK(data["timed_out"] == false);
    CHECK(data["approval"]["status"] == "approved");
    CHECK(data["approval"]["outcome"] == "executed");
    CHECK(data["approval"]["digest"] == s.stored_approval(s.buyer, id).digest);
    CHECK(data["approval"]["question"] == s.stored_approval(s.buyer, id).question);
    CHECK(data["next_calls"][0]["tool"] == "a2h_inbox_history");
}

TEST_CASE("a wait whose time is up says so and gives a cursor to go on with") {
    Scene s;
    const std::string id = ask(s);
    const json early = wait(s, {{"approval_id", id}, {"timeout_seconds", 0}})["data"];
    CHECK(early["timed_out"] == true);
    CHECK(early["approval"]["status"] == "pending");
    CHECK(early["next_calls"][0]["tool"] == "a2h_approval_wait");

    REQUIRE(s.answer(s.buyer, id, "reject")["ok"] == true);
    const json late = wait(s, {{"cursor", early["cursor"]}, {"timeout_seconds", 10}})["data"];
    CHECK(late["timed_out"] == false);
    CHECK(late["changes"][0]["change"] == "answered");
    CHECK(late["changes"][0]["approval"]["status"] == "rejected");
}

TEST_CASE("an instruction leads a waiting caller to the approval that it became") {
    Scene s;
    const json question{{"peer_id", s.seller_account.agent_id},
                        {"question", "Shall I say that 90 is fine?"},
                        {"reply_text", "90 CNY is fine"}};
    const std::string id =
        s.buyer.call_assistant("approval.create", question.dump())["data"]["approval_id"];
    REQUIRE(s.answer(s.buyer, id, "offer 80 and ask for delivery")["ok"] == true);
    const json data = wait(s, {{"approval_id", id}, {"timeout_seconds", 10}})["data"];
    CHECK(data["approval"]["status"] == "instructed");
    const std::string next = s.open_approval_of(s.buyer)["approval_id"];
    CHECK(next != id);
    CHECK(data["next_calls"][0]["tool"] == "a2h_approval_wait");
    CHECK(data["next_calls"][0]["arguments"]["approval_id"] == next);
}

TEST_CASE("changes are listed once each, in order, across pages and a restart") {
    Scene s;
    const std::string first = ask(s, "Deal at 90 CNY");
    const std::string second = ask(s, "Deal at 91 CNY");
    REQUIRE(s.answer(s.buyer, first, "reject")["ok"] == true);
    json page = changes(s, {{"cursor", 0}, {"limit", 2}});
    CHECK(page["changes"].size() == 2);
    CHECK(page["more"] == true);
    s.buyer.kill();
    s.buyer.start();
    const json rest = changes(s, {{"cursor", page["cursor"]}});
    REQUIRE(rest["changes"].size() == 1);
    CHECK(rest["changes"][0]["approval_id"] == first);
    CHECK(rest["changes"][0]["change"] == "answered");
    CHECK(rest["more"] == false);
    CHECK(changes(s, {{"cursor", rest["cursor"]}})["changes"].empty());
    CHECK(changes(s, json::object())["changes"].size() == 3);
    CHECK(changes(s, {{"approval_id", second}})["changes"].size() == 1);
}

TEST_CASE("waiting for an approval that there is not is refused at once") {
    Scene s;
    const json answered = wait(s, {{"approval_id", "apr_00000000000000000000"}});
    CHECK(answered["ok"] == false);
    CHECK(answered["error"]["code"] == "PLATFORM_410");
}

TEST_CASE("a human's answer to one peer is added to the listing with their PIN, once") {
    Scene s;
    s.publish_listing();
    s.buyer_says("Could you also record a narration for the slides?");
    const std::string id = s.open_approval()["approval_id"];
    const std::string fact = "Narration in English or Chinese is included.";
    const json yes{
        {"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}, {"reply_text", fact}};
    REQUIRE(s.seller.call_human("approval.answer", yes.dump())["ok"] == true);
    const auto learn = [&](std::string_view pin) {
        return s.seller.call_human("listing.learn", json{{"approval_id", id}, {"pin", pin}}.dump());
    };
    CHECK(learn("000000")["ok"] == false);
    CHECK(s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"]
              .empty());
    const auto listed = [&] { return s.seller.call_assistant("works.list").dump(); };
    CHECK(listed().find(fact) == std::string::npos);
    const json learned = learn(Daemon::kPin);
    CHECK_MESSAGE(learned["ok"] == true, learned.dump());
    CHECK(learned["data"]["action"] == "works.update");
    CHECK(eventually([&] { return listed().find(fact) != std::string::npos; }));
    CHECK(eventually([&] { return learn(Daemon::kPin)["error"]["code"] == "conflict"; }));
    CHECK(s.seller
              .call_assistant("listing.learn",
                              json{{"approval_id", id}, {"pin", Daemon::kPin}}.dump())
              .value("ok", true) == false);
}

TEST_CASE("waiting for events returns those from now on, or none when the time is over") {
    Scene s;
    const auto events = [&](const json& arguments) {
        return s.buyer.call_human("events.list", arguments.dump())["data"];
    };
    ask(s);
    const json now = events({{"wait_seconds", 0}});
    CHECK(now["events"].empty());
    CHECK(now["last_id"].get<int>() > 0);
    const json arguments{{"after_id", now["last_id"]}, {"wait_seconds", 20}};
    auto waiting = std::async(std::launch::async, [&] { return events(arguments); });
    ask(s, "Deal at 91 CNY");
    const json later = waiting.get();
    REQUIRE(!later["events"].empty());
    CHECK(later["events"][0]["kind"] == "approval.asked");
    CHECK(later["last_id"] > now["last_id"]);
}
