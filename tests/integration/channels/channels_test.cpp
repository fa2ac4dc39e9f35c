// A real a2hd and a stand-in of ntfy: a question is sent, answered by a button, and its card shows
// the result.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "tests/integration/channels/stage.h"

using namespace a2h;
using nlohmann::json;
using test::Stage;

namespace {

std::string button(const json& shown, std::size_t number) {
    return shown["actions"][number]["body"];
}

}  // namespace

TEST_CASE("a question reaches the phone, its button answers, and the card says who") {
    Stage stage("normal = [\"phone\"]\n");
    const json asked = stage.ask("May I?");
    REQUIRE(asked["notified"].size() == 1);
    CHECK(asked["notified"][0]["ok"] == true);
    CHECK(asked["notified"][0]["person"] == "anna");
    CHECK(asked["next"].get<std::string>().find("Tell your human that this question waits") == 0);
    const json shown = stage.phone.wait_for(1);
    CHECK(shown["actions"][0]["label"] == "Close without answering");
    stage.phone.press(button(shown, 0));
    REQUIRE(test::eventually([&] { return stage.status(asked) == "approved"; }));
    CHECK(stage.approval(asked)["answered_by"] == "anna");
    CHECK(stage.approval(asked)["surface"] == "button");
    const json final_card = stage.phone.wait_for(2);
    CHECK(final_card["sequence_id"] == shown["sequence_id"]);
    CHECK(final_card["message"].get<std::string>().find(
              "anna closed it without an answer by button") != std::string::npos);
    CHECK(!final_card.contains("actions"));
}

TEST_CASE("a double click changes nothing, and the other button shows what was decided") {
    Stage stage("normal = [\"phone\"]\n");
    const json asked = stage.ask("May I?");
    const json shown = stage.phone.wait_for(1);
    stage.phone.press(button(shown, 1));
    REQUIRE(test::eventually([&] { return stage.status(asked) == "rejected"; }));
    const auto cards = stage.phone.shown().size();
    stage.phone.press(button(shown, 1));
    stage.phone.press(button(shown, 0));
    const json told = stage.phone.wait_for(std::max<std::size_t>(cards, 2) + 1);
    CHECK(told["message"].get<std::string>().find("anna rejected") != std::string::npos);
    CHECK(stage.status(asked) == "rejected");
}

TEST_CASE("a card from before a kill answers after it") {
    Stage stage("normal = [\"phone\"]\n");
    const json asked = stage.ask("May I?");
    const json shown = stage.phone.wait_for(1);
    stage.daemon->kill();
    stage.daemon->start();
    stage.phone.press(button(shown, 0));
    CHECK(test::eventually([&] { return stage.status(asked) == "approved"; }));
}

TEST_CASE("no button works with another token, choice, row or question") {
    Stage stage("normal = [\"phone\"]\n");
    const json asked = stage.ask("May I?");
    const json other = stage.ask("And this?");
    const std::string yes = button(stage.phone.wait_for(1), 0);
    const std::string no = button(stage.phone.wait_for(1), 1);
    const std::string other_yes = button(stage.phone.wait_for(2), 0);
    const auto row = yes.substr(0, yes.find('.'));
    const auto other_row = other_yes.substr(0, other_yes.find('.'));
    for (const std::string& forged :
         {row + ".y." + no.substr(no.rfind('.') + 1),
          other_row + ".y." + yes.substr(yes.rfind('.') + 1), row + ".y." + std::string(24, '0'),
          std::string("999999.y.") + std::string(24, 'a'), std::string("approve"),
          std::string(2000, 'x')}) {
        stage.phone.press(forged);
    }
    stage.phone.press(other_yes);
    REQUIRE(test::eventually([&] { return stage.status(other) == "approved"; }));
    CHECK(stage.status(asked) == "pending");
}

TEST_CASE("the escalation goes on when the first channel fails, and the tool learns it") {
    Stage stage("normal = [\"gone\", \"phone\"]\n");
    const json asked = stage.ask("May I?");
    stage.phone.wait_for(1);
    REQUIRE_MESSAGE(asked["notified"].size() == 2, asked.dump());
    CHECK(asked["notified"][0]["ok"] == false);
    CHECK(asked["notified"][1]["channel"] == "phone");
    CHECK(asked["notified"][1]["ok"] == true);
}

TEST_CASE("when nobody is reached the asking tool says so, and nothing holds a secret") {
    Stage stage("normal = [\"gone\"]\n");
    const json asked = stage.ask("May I?");
    CHECK(asked["notified"][0]["ok"] == false);
    CHECK(asked["next"].get<std::string>().find("No notification reached anybody") == 0);
    const json sent = stage.daemon->call_assistant(
        "send", json{{"target_agent_id", "ag_buyer"}, {"text", "I offer 200 CNY"}}.dump());
    CHECK(sent["error"]["next"].get<std::string>().find("No notification reached anybody") == 0);
    const json listed = stage.daemon->call_human("notify.list")["data"]["items"];
    REQUIRE(listed.size() == 2);
    CHECK(listed[0]["state"] == "queued");
    CHECK(listed[0]["outcome"].get<std::string>().size() > 0);
    CHECK(listed.dump().find("SECRET") == std::string::npos);
    CHECK(stage.daemon->log().find("SECRET") == std::string::npos);
}

TEST_CASE("`a2h notify test` proves each channel, and fails for a dead one") {
    Stage stage("normal = [\"phone\"]\nhigh = [\"gone\"]\n");
    const auto notify = [&](std::vector<std::string> more) {
        std::vector<std::string> argv{A2H_BIN_DIR "/a2h", "--home", stage.daemon->home().string(),
                                      "notify", "test"};
        argv.insert(argv.end(), more.begin(), more.end());
        return test::run(argv);
    };
    const auto one = notify({"phone"});
    CHECK(one.status == 0);
    CHECK(one.out.find("phone") != std::string::npos);
    CHECK(stage.phone.wait_for(1)["title"] == "A2H: a test");
    const auto all = notify({});
    CHECK(all.status == 1);
    CHECK(all.err.find("gone") != std::string::npos);
    CHECK(all.err.find("SECRET") == std::string::npos);
    CHECK(notify({"pigeon"}).status == 1);
}

TEST_CASE("an unsigned web hook is refused, and one of no channel is not found") {
    Stage stage("normal = [\"phone\"]\n");
    const std::string url = stage.daemon->status()["web"]["url"];
    http::Client client({});
    const auto post = [&](const std::string& path) {
        return client.send({.method = "POST", .url = url + path, .body = "{}"})->status;
    };
    CHECK(post("/hooks/phone") == 404);
    CHECK(post("/hooks/none") == 404);
    CHECK(client.send({.url = url + "/hooks/phone"})->status == 404);
}
