// A real a2hd and several people: nobody votes in another's name, whatever PIN they hold.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "tests/integration/channels/stage.h"
#include "tests/support/page_session.h"

using namespace a2h;
using nlohmann::json;
using test::Daemon;
using test::eventually;
using test::Stage;

namespace {

constexpr const char* kTwoOfTwo =
    "normal = [\"chat\"]\n[[person]]\nname = \"human\"\nnormal = [\"phone\"]\n"
    "[[approval_rule]]\nvotes = 2\npeople = [\"human\", \"anna\"]\n";

json answer_as(Stage& stage, const std::string& id, const std::string& person, std::string_view pin,
               const std::string& decision = "approve") {
    json call{{"approval_id", id}, {"decision", decision}, {"pin", pin}};
    if (!person.empty()) call["person"] = person;
    return stage.daemon->call_human("approval.answer", call.dump());
}

test::Ran command(Stage& stage, std::vector<std::string> words, const std::string& input) {
    std::vector<std::string> argv{A2H_BIN_DIR "/a2h", "--home", stage.daemon->home().string()};
    argv.insert(argv.end(), words.begin(), words.end());
    argv.push_back("--pin-stdin");
    return test::run(argv, {}, input + "\n");
}

std::string newest_text(const Stage& stage) {
    return stage.chat.calls("sendMessage").back().value("text", std::string());
}

std::string code_in(const std::string& text, const std::string& before) {
    const auto at = text.find(before);
    return at == std::string::npos ? std::string() : text.substr(at + before.size(), 6);
}

/// Each row as "what detail", one a line.
std::string audit_of(Stage& stage) {
    std::string rows;
    const json exported = stage.daemon->call_human("audit.export")["data"];
    for (const json& line : exported["lines"]) {
        const json row = json::parse(line.get<std::string>());
        rows += row.value("what", "") + " " + row.value("detail", "") + "\n";
    }
    return rows;
}

bool has_row(const std::string& audit, const std::string& what, const std::string& detail) {
    for (std::size_t at = 0; at < audit.size();) {
        const std::size_t end = audit.find('\n', at);
        const std::string row = audit.substr(at, end - at);
        if (row.starts_with(what + " ") && row.find(detail) != std::string::npos) return true;
        at = end + 1;
    }
    return false;
}

}  // namespace

TEST_CASE("the owner's PIN votes as the owner only: on the socket, by command, on the page") {
    Stage stage(kTwoOfTwo);
    const std::string id = stage.ask("May I?")["approval_id"];
    const std::string owner(Daemon::kPin);
    CHECK(answer_as(stage, id, "anna", owner)["ok"] == false);
    CHECK(command(stage, {"approve", id, "--person", "anna"}, owner).status == 1);
    CHECK(stage.daemon->call_human("page.link",
                                   json{{"pin", owner}, {"person", "anna"}}.dump())["ok"] == false);
    const auto session = test::enter_page(*stage.daemon, "human");
    const json item{{"approval_id", id},
                    {"digest", stage.approval(id)["digest"]},
                    {"decision", "approve"},
                    {"person", "anna"}};
    const auto on_page =
        session.send("POST", "/api/answers", json{{"answers", json::array({item})}}.dump());
    CHECK(json::parse(on_page.body)["data"]["results"][0]["votes"] == json{"human"});
    CHECK(answer_as(stage, id, "", owner)["ok"] == false);       // once more, by PIN
    CHECK(answer_as(stage, id, "human", owner)["ok"] == false);  // and by name
    stage.phone.press(stage.phone.wait_for(1)["actions"][0]["body"]);
    // Nor does the owner set a PIN for anna.
    for (const json& call : {json{{"person", "anna"}, {"pin", owner}, {"new_pin", "stolen-1"}},
                             json{{"person", "anna"}, {"code", "000000"}, {"new_pin", "stolen-1"}},
                             json{{"person", "anna"}, {"new_pin", "stolen-1"}}}) {
        CHECK(stage.daemon->call_human("pin.set", call.dump())["ok"] == false);
    }
    CHECK(answer_as(stage, id, "anna", "stolen-1")["ok"] == false);
    CHECK(stage.status(id) == "pending");
    CHECK(stage.outbox_size() == 0);
    const std::string audit = audit_of(stage);
    CHECK(has_row(audit, "voted", R"("by":"human")"));
    CHECK(!has_row(audit, "voted", R"("by":"anna")"));
}

TEST_CASE("a PIN of one's own is set with a code that only oneself is sent, and votes") {
    Stage stage(kTwoOfTwo);
    const std::string id = stage.ask("May I?")["approval_id"];
    const std::string owner(Daemon::kPin);
    REQUIRE(answer_as(stage, id, "", owner)["ok"] == true);
    stage.chat.wait_for("sendMessage", 1);
    const auto sent = command(stage, {"pin", "--person", "anna"}, "");
    REQUIRE_MESSAGE(sent.status == 0, sent.err);
    CHECK(sent.out.find("a2h") != std::string::npos);
    stage.chat.wait_for("sendMessage", 2);
    const std::string code = code_in(newest_text(stage), "Code for setting your PIN: ");
    REQUIRE(code.size() == 6);
    CHECK(sent.out.find(code) == std::string::npos);
    for (const json& shown : stage.phone.shown())
        CHECK(shown.dump().find(code) == std::string::npos);
    const auto set = command(stage, {"pin", "--person", "anna", "--code", code}, "annas-own-pin");
    REQUIRE_MESSAGE(set.status == 0, set.err);
    CHECK(command(stage, {"pin", "--person", "anna", "--code", code}, "another-pin").status == 1);
    CHECK(answer_as(stage, id, "anna", owner)["ok"] == false);
    CHECK(answer_as(stage, id, "", "annas-own-pin")["ok"] == false);
    CHECK(stage.status(id) == "pending");
    // The PIN survives a restart.
    stage.daemon->stop();
    stage.daemon->start();
    const auto voted = command(stage, {"approve", id, "--person", "anna"}, "annas-own-pin");
    REQUIRE_MESSAGE(voted.status == 0, voted.err);
    CHECK(stage.status(id) == "approved");
    CHECK(stage.approval(id)["answered_by"] == "human, anna");
    CHECK(test::enter_page(*stage.daemon, "anna", "annas-own-pin").key.size() > 40);
    const std::string audit = audit_of(stage);
    CHECK(has_row(audit, "pin.offered", R"("person":"anna")"));
    CHECK(has_row(audit, "pin.set", R"({"person":"anna","proof":"code"})"));
    CHECK(has_row(audit, "voted", R"("by":"human")"));
    CHECK(has_row(audit, "voted", R"("by":"anna")"));
    CHECK(has_row(audit, "answered", R"("by":"human, anna")"));
    CHECK(has_row(audit, "answered", R"("proof":"pin")"));
    CHECK(has_row(audit, "page.proved", R"({"person":"anna","proof":"pin"})"));
    CHECK(audit.find("annas-own-pin") == std::string::npos);
    CHECK(audit.find(code) == std::string::npos);
}

TEST_CASE("a button, a link and a code are the vote of whom they were sent to, and count once") {
    Stage stage(kTwoOfTwo);
    const std::string id = stage.ask("May I?")["approval_id"];
    const json shown = stage.chat.wait_for("sendMessage");
    const std::string text = shown["text"];
    const std::string yes = shown["reply_markup"]["inline_keyboard"][0][0]["callback_data"];
    stage.chat.press(yes);
    stage.chat.wait_for("answerCallbackQuery", 1);
    stage.chat.press(yes);
    const json again = stage.chat.wait_for("answerCallbackQuery", 2);
    CHECK(again["text"] == "Your yes was already counted; others still have to answer.");
    // The link of the same person, and their code through the assistant.
    const auto at = text.find("http://");
    REQUIRE(at != std::string::npos);
    const std::string link = text.substr(at, text.find('\n', at) - at);
    REQUIRE(link.find("&p=anna") != std::string::npos);
    const std::string token = link.substr(link.find("t=") + 2, 32);
    http::Client http({});
    const auto by_link =
        http.send({.method = "POST",
                   .url = link.substr(0, link.find('?')) + "/answer",
                   .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                   .body = "t=" + token + "&p=anna&choice=approve&digest=" +
                           stage.approval(id)["digest"].get<std::string>()});
    REQUIRE(by_link.has_value());
    const std::string code = code_in(text, "Code for answering through your assistant: ");
    const json by_code = stage.daemon->call_assistant(
        "approval.response",
        json{{"approval_id", id}, {"decision", "approve"}, {"code", code}}.dump());
    CHECK(by_code["ok"] == false);
    CHECK(stage.status(id) == "pending");
    // A second press does not send many cards.
    CHECK(stage.chat.calls("editMessageText").size() <= 2);
    // The owner's own button is the second vote.
    stage.phone.press(stage.phone.wait_for(1)["actions"][0]["body"]);
    REQUIRE(eventually([&] { return stage.status(id) == "approved"; }));
    CHECK(stage.approval(id)["answered_by"] == "anna, human");
}

TEST_CASE("where both must agree, the words of one need the yes of the other only") {
    Stage stage(kTwoOfTwo);
    const std::string id = stage.ask("May I?")["approval_id"];
    stage.chat.wait_for("sendMessage");
    const auto worded =
        command(stage, {"approve", id, "--text", "Yes, at six."}, std::string(Daemon::kPin));
    REQUIRE_MESSAGE(worded.status == 0, worded.err);
    CHECK(stage.status(id) == "pending");
    CHECK(stage.outbox_size() == 0);
    const json shown = stage.chat.wait_for("sendMessage", 2);
    CHECK(shown.value("text", "")
              .find("the owner chose the words, which is the yes of the owner. "
                    "This still needs a yes from 1 of these people: anna.") != std::string::npos);
    stage.chat.press(shown["reply_markup"]["inline_keyboard"][0][0]["callback_data"]);
    REQUIRE(eventually([&] { return stage.status(id) == "approved"; }));
    CHECK(stage.approval(id)["reply_text"] == "Yes, at six.");
    CHECK(stage.outbox_size() == 1);
}

TEST_CASE("one person alone is asked for nothing more, whatever their name") {
    Stage stage("normal = [\"chat\"]\n");
    const std::string id = stage.ask("May I?")["approval_id"];
    CHECK(command(stage, {"approve", id}, std::string(Daemon::kPin)).status == 0);
    CHECK(stage.approval(id)["answered_by"] == "anna");
    const std::string changed = std::string(Daemon::kPin) + "\nanother-pin";
    CHECK(command(stage, {"pin"}, changed).status == 0);
    const std::string other = stage.ask("And this?")["approval_id"];
    CHECK(answer_as(stage, other, "", Daemon::kPin)["ok"] == false);
    CHECK(answer_as(stage, other, "", "another-pin")["ok"] == true);
}

TEST_CASE("a dialog asks the owner for a code only if the owner was sent one and may say yes") {
    struct Home {
        std::string config;
        bool may_approve;
        bool has_code;
    };
    const std::string on_phone = "normal = [\"phone\"]\n[[person]]\nname = \"human\"\n";
    const std::string both = "people = [\"human\", \"anna\"]\n";
    const Home homes[] = {
        {kTwoOfTwo, true, true},
        // A channel of both carries no code.
        {on_phone + "normal = [\"phone\"]\n[[approval_rule]]\nvotes = 2\n" + both, true, false},
        // Only anna was reached.
        {on_phone + "normal = [\"gone\"]\n[[approval_rule]]\nvotes = 2\n" + both, true, false},
        {on_phone + "normal = [\"chat\"]\n[[approval_rule]]\nvotes = 1\npeople = [\"anna\"]\n",
         false, false},
    };
    for (const Home& home : homes) {
        CAPTURE(home.config);
        Stage stage(home.config);
        const json approval = stage.approval(stage.ask("May I?"));
        CHECK(approval["owner_may_approve"] == home.may_approve);
        CHECK(approval["code_delivered"] == home.has_code);
        const json listed = stage.daemon->call_human("approval.list", R"({"status":"pending"})");
        CHECK(listed["data"]["approvals"][0]["owner_may_approve"] == home.may_approve);
    }
}
