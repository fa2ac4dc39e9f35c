// A real a2hd and stand-ins of ntfy and Telegram after some time has passed: late presses, several
// questions in one message, substitutes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/channels/stage.h"
#include "tests/support/page_session.h"

using namespace a2h;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::minutes;
using test::eventually;
using test::Stage;

namespace {

constexpr milliseconds kSoon{6'000};
const std::string kTooLate = "Nobody answered in time, so nothing was done.";

UnixMs now_ms() {
    return SystemClock().now_ms();
}

/// Like `person` of the stage's configuration.
Person person(const std::string& name, const std::string& channel,
              const std::string& substitute = {}) {
    Person person;
    person.name = name;
    person.normal = person.high = {{channel}};
    person.substitute = substitute;
    return person;
}

consent::Policy policy_of(std::vector<Person> people) {
    consent::Policy policy;
    policy.people = std::move(people);
    return policy;
}

void wait_until(UnixMs time_ms) {
    REQUIRE(eventually([&] { return now_ms() >= time_ms; }));
}

std::string text_of(const json& message, const char* name) {
    return message.value(name, std::string());
}

}  // namespace

TEST_CASE("ntfy: a press after the deadline changes nothing, and the card says expired") {
    Stage stage("normal = [\"phone\"]\n");
    consent::Policy policy = policy_of({person("anna", "phone")});
    policy.answer_within = kSoon;
    const Approval asked = stage.asked_before({"May I?"}, policy, now_ms())[0];
    const json shown = stage.phone.wait_for(1);
    const std::string yes = shown["actions"][0]["body"];
    wait_until(asked.answer_by_ms);
    stage.phone.press(yes);
    const auto final_cards = [&] {
        std::size_t count = 0;
        for (const json& card : stage.phone.shown()) {
            const bool same = card["sequence_id"] == shown["sequence_id"];
            count += same && text_of(card, "message").find(kTooLate) != std::string::npos ? 1 : 0;
        }
        return count;
    };
    REQUIRE(eventually([&] { return final_cards() >= 1; }));
    CHECK(stage.status(asked.id) == "expired");
    // Pressed again when the card shows the result already: the same result is shown again.
    const std::size_t before = final_cards();
    stage.phone.press(yes);
    CHECK(eventually([&] { return final_cards() > before; }));
    for (const json& card : stage.phone.shown())
        if (text_of(card, "message").find(kTooLate) != std::string::npos)
            CHECK(!card.contains("actions"));
    CHECK(stage.status(asked.id) == "expired");
    CHECK(stage.outbox_size() == 0);
    // Few cards: neither press exceeds the limit of cards.
    CHECK(stage.phone.shown().size() <= 6);
}

TEST_CASE("Telegram: a press after the deadline is answered so, and the card loses its buttons") {
    Stage stage("normal = [\"chat\"]\n");
    consent::Policy policy = policy_of({person("anna", "chat")});
    policy.answer_within = kSoon;
    const Approval asked = stage.asked_before({"May I?"}, policy, now_ms())[0];
    const json shown = stage.chat.wait_for("sendMessage");
    const json keys = shown["reply_markup"]["inline_keyboard"];
    wait_until(asked.answer_by_ms);
    stage.chat.press(keys[0][0]["callback_data"]);
    const json told = stage.chat.wait_for("answerCallbackQuery");
    CHECK(told["show_alert"] == true);
    CHECK(text_of(told, "text").find(kTooLate) != std::string::npos);
    const json edited = stage.chat.wait_for("editMessageText");
    CHECK(text_of(edited, "text").find(kTooLate) != std::string::npos);
    CHECK(!edited.contains("reply_markup"));
    CHECK(stage.status(asked.id) == "expired");
    CHECK(stage.outbox_size() == 0);
}

TEST_CASE("five questions in one message are answered by buttons or together on the page") {
    Stage stage("normal = [\"chat\"]\n");
    const std::vector<Approval> asked =
        stage.asked_before({"one?", "two?", "three?", "four?", "five?"},
                           policy_of({person("anna", "chat")}), now_ms());
    const json shown = stage.chat.wait_for("sendMessage");
    const json keys = shown["reply_markup"]["inline_keyboard"];
    REQUIRE(keys.size() == 5);
    CHECK(text_of(shown, "text").find("5. five?") != std::string::npos);
    stage.chat.press(keys[0][0]["callback_data"]);
    stage.chat.press(keys[1][1]["callback_data"]);
    REQUIRE(eventually([&] {
        return stage.status(asked[0].id) == "approved" && stage.status(asked[1].id) == "rejected";
    }));
    CHECK(stage.status(asked[2].id) == "pending");
    const auto page = test::enter_page(*stage.daemon, "anna");
    json answers = json::array();
    for (std::size_t i = 0; i < asked.size(); ++i)
        answers.push_back(
            {{"approval_id", asked[i].id}, {"digest", asked[i].digest}, {"decision", "approve"}});
    const auto response = page.send("POST", "/api/answers", json{{"answers", answers}}.dump());
    REQUIRE(response.status == 200);
    const json results = json::parse(response.body)["data"]["results"];
    REQUIRE(results.size() == 5);
    for (std::size_t i = 0; i < asked.size(); ++i)
        CHECK(results[i]["ok"] == (i >= 2));  // the first two had their answer
    CHECK(stage.status(asked[1].id) == "rejected");
    CHECK(stage.outbox_size() == 4);
    // The one card shows all five answers, and nothing can be pressed any more.
    REQUIRE(eventually([&] {
        const auto edits = stage.chat.calls("editMessageText");
        return !edits.empty() && !edits.back().contains("reply_markup");
    }));
    const std::string card = text_of(stage.chat.calls("editMessageText").back(), "text");
    CHECK(card.find("anna rejected by button") != std::string::npos);
    CHECK(card.find("anna agreed on the page") != std::string::npos);
    CHECK(stage.chat.calls("sendMessage").size() == 1);
}

TEST_CASE("a button of a group does not send words that its message has not shown") {
    Stage stage("normal = [\"chat\"]\n");
    const std::string refusal = "We cannot agree to 240.00 CNY.";
    const auto asked = stage.asked_before({"one?", "two?", "three?", "four?"},
                                          policy_of({person("anna", "chat")}), now_ms(), refusal);
    const json shown = stage.chat.wait_for("sendMessage");
    CHECK(text_of(shown, "text").find(refusal) == std::string::npos);
    CHECK_FALSE(shown.contains("reply_markup"));
    // A message of an earlier version had this button.
    stage.chat.press(stage.button_of_no(asked[0], "anna"));
    const json told = stage.chat.wait_for("answerCallbackQuery");
    CHECK(text_of(told, "text").find("does not show what a no would send") != std::string::npos);
    CHECK(stage.status(asked[0].id) == "pending");
    CHECK(stage.outbox_size() == 0);
}

TEST_CASE("a question that nobody answered goes to the substitute, whose button counts") {
    Stage stage(
        "normal = [\"phone\"]\nsubstitute = \"bert\"\n[[person]]\nname = \"bert\"\n"
        "normal = [\"chat\"]\n[approval]\nescalate_after_minutes = 1\n");
    const consent::Policy policy =
        policy_of({person("anna", "phone", "bert"), person("bert", "chat")});
    const UnixMs a_while_ago = now_ms() - milliseconds(minutes(1)).count() + 5'000;
    const Approval asked = stage.asked_before({"May I?"}, policy, a_while_ago)[0];
    stage.phone.wait_for(1);
    CHECK(stage.chat.calls("sendMessage").empty());
    REQUIRE(eventually([&] { return !stage.chat.calls("sendMessage").empty(); },
                       std::chrono::seconds(30)));
    const json shown = stage.chat.wait_for("sendMessage");
    CHECK(text_of(shown, "text").find("anna has not answered yet") != std::string::npos);
    const json listed = stage.daemon->call_human("notify.list")["data"]["items"];
    CHECK(listed.dump().find("\"bert\"") != std::string::npos);
    stage.chat.press(shown["reply_markup"]["inline_keyboard"][0][0]["callback_data"]);
    REQUIRE(eventually([&] { return stage.status(asked.id) == "approved"; }));
    CHECK(stage.approval(asked.id)["answered_by"] == "bert");
    CHECK(stage.outbox_size() == 1);
    // The person who was asked first sees that the question is answered, and by whom.
    REQUIRE(eventually([&] { return stage.phone.shown().size() >= 2; }));
    CHECK(text_of(stage.phone.shown().back(), "message").find("bert agreed by button") !=
          std::string::npos);
    CHECK(stage.chat.calls("sendMessage").size() == 1);
}

TEST_CASE("a service that asks to wait is left alone, and the next channel is used meanwhile") {
    Stage stage("normal = [\"phone\", \"other\"]\n");
    stage.phone.limit("20");
    const json asked = stage.ask("May I?");
    stage.phone.wait_for(1, "theirs");
    REQUIRE_MESSAGE(asked["notified"].size() == 2, asked.dump());
    CHECK(asked["notified"][0]["ok"] == false);
    CHECK(asked["notified"][1]["ok"] == true);
    stage.ask("And this?");
    stage.phone.wait_for(2, "theirs");
    CHECK(stage.phone.shown().size() == 1);
}

TEST_CASE("after the time that a service asked for it is called again") {
    Stage stage("normal = [\"phone\"]\n");
    stage.phone.limit("3");
    const auto began = std::chrono::steady_clock::now();
    stage.ask("May I?");
    stage.phone.wait_for(2);
    CHECK(std::chrono::steady_clock::now() - began >= std::chrono::seconds(3));
    CHECK(stage.phone.shown().size() == 2);
}
