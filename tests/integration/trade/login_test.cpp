// Agents that browser logins bring into a home, through a real a2hd at a real market.

#include <doctest/doctest.h>

#include <future>

#include "tests/integration/daemon/scene.h"
#include "tests/support/market_http.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// Opens the address of a login and answers the form, as a person does.
void confirm_in_browser(const std::string& url, const std::string& fields) {
    const auto page = test::send({.url = url});
    REQUIRE(page.status == 200);
    const std::string cookie = page.header("set-cookie");
    const std::string mark = "name=\"form_token\" value=\"";
    const auto begin = page.text.find(mark) + mark.size();
    const std::string token = page.text.substr(begin, page.text.find('"', begin) - begin);
    const auto done = test::send({.method = "POST",
                                  .url = url,
                                  .headers = {{"Cookie", cookie.substr(0, cookie.find(';'))}},
                                  .body = "form_token=" + token + "&lang=en&" + fields});
    REQUIRE_MESSAGE(done.status == 200, done.text);
}

std::string choosing(const platform::Account& account) {
    return "choice=existing&agent_id=" + account.agent_id + "&agent_key=" + account.keys.agent_key;
}

struct LoginScene : Scene {
    json poll(const json& auth_code) {
        return seller.call_assistant("auth.poll", json{{"auth_code", auth_code}}.dump());
    }
    /// A login of this home that is confirmed with `fields`; returns the poll's answer.
    json polled_after(const std::string& fields) {
        const json begun = seller.call_assistant("auth.login")["data"];
        REQUIRE(begun.contains("auth_url"));
        CHECK(begun["auth_url"].get<std::string>().starts_with(market.url()));
        code = begun["auth_code"];
        confirm_in_browser(begun["auth_url"], fields);
        return poll(code);
    }
    /// The id of the question that such a login causes.
    std::string question_after(const std::string& fields) {
        const json result = polled_after(fields);
        REQUIRE_MESSAGE(result.contains("error"), result.dump());
        REQUIRE_MESSAGE(result["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", result.dump());
        return result["error"]["approval_id"];
    }
    json listed() { return seller.call_assistant("agent.list")["data"]["items"]; }
    std::string default_agent() { return seller.status()["agent_id"]; }
    /// An agent of somebody else, with an id below the seller's.
    platform::Account agent_with_lower_id() {
        for (;;) {
            auto account = plain_agent(market, "Lins studio");
            if (account.agent_id < seller_account.agent_id) return account;
        }
    }
    bool runs(const std::string& id) {
        const json::json_pointer connected("/connection/connected");
        return eventually([&] { return seller.status(id).value(connected, false); });
    }

    std::string code;
};

std::string text_of_card(const json& approval) {
    std::string text = approval["question"].get<std::string>() + "\n";
    for (const json& line : approval["covers"])
        text += line["label"].get<std::string>() + ": " + line["value"].get<std::string>() + "\n";
    return text;
}

}  // namespace

TEST_CASE("the owner is asked before the agent of a login runs, at once and after a restart") {
    LoginScene scene;
    const json begun = scene.seller.call_assistant("auth.login")["data"];
    REQUIRE(begun.contains("auth_url"));
    const json poll{{"auth_code", begun["auth_code"]}};
    // The call waits for the person.
    auto polled = std::async(std::launch::async, [&] {
        auto client = control::Client::connect(scene.seller.home() / "run" / "a2hd.sock");
        REQUIRE(client);
        json arguments = poll;
        arguments["face"] = "assistant";
        const auto result =
            (*client)->call("auth.poll", arguments.dump(), kSlowdown * std::chrono::seconds(30));
        return result ? json::parse(*result) : json(result.error().message);
    });
    confirm_in_browser(begun["auth_url"], "choice=create&name=Shop");
    const json asked = polled.get();
    REQUIRE_MESSAGE(asked.contains("error"), asked.dump());
    CHECK(asked["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    const std::string question = asked["error"]["approval_id"];
    CHECK(scene.listed().size() == 1);
    // A repeated call opens no second question.
    CHECK(scene.poll(begun["auth_code"])["error"]["approval_id"] == question);

    const json shown = scene.approval(question);
    const json request = json::parse(scene.stored_approval(scene.seller, question).action_json);
    const std::string id = request["request"]["new_agent_id"];
    const std::string card = text_of_card(shown);
    CAPTURE(card);
    CHECK(card.find(id) != std::string::npos);
    CHECK(card.find("Its name at the market: Shop") != std::string::npos);
    CHECK(card.find("Market: " + scene.market.url()) != std::string::npos);

    REQUIRE(scene.answer(scene.seller, question, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return scene.approval(question)["outcome"] == "executed"; }));
    const json done = scene.poll(begun["auth_code"]);
    REQUIRE_MESSAGE(done.value("ok", false), done.dump());
    CHECK(done["data"] == json{{"status", "success"}, {"agent_id", id}});
    CHECK(scene.runs(id));
    const auto says = [&](const std::string& text) {
        const json sent = scene.seller.call_assistant(
            "send",
            json{{"agent", id}, {"target_agent_id", scene.buyer_account.agent_id}, {"text", text}}
                .dump());
        REQUIRE_MESSAGE(sent.value("ok", false), sent.dump());
        json newest;
        CHECK(eventually([&] {
            newest = scene.buyer.call_assistant("inbox.history", json{{"peer_id", id}}.dump());
            const json items = newest["data"]["items"];
            return !items.empty() && items[0]["text"] == text &&
                   items[0]["provenance"] == "vouched";
        }));
    };
    says("Good morning, how are you?");
    scene.seller.stop();
    scene.seller.start();
    CHECK(scene.runs(id));
    says("Hello again!");
    CHECK(scene.listed().size() == 2);
}

TEST_CASE("a login that somebody else began brings nothing into the home") {
    LoginScene scene;
    const auto stranger = plain_agent(scene.market, "Lins studio");
    const auto begun =
        test::send({.method = "POST",
                    .url = scene.market.url() + "/v1/auth/init-login",
                    .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                    .body = "timestamp=1760000000&mac=aa%3Abb"});
    REQUIRE(begun.status == 200);
    confirm_in_browser(begun.body["url"], choosing(stranger));
    const json polled = scene.poll(begun.body["code"]);
    REQUIRE_MESSAGE(polled.contains("error"), polled.dump());
    CHECK(polled["error"]["code"] == "PLATFORM_410");
    CHECK(scene.listed().size() == 1);
    // The code was not even shown to the market, where it is good once.
    CHECK(
        test::send({.url = scene.market.url() + "/findu-user/api/v1/public/user/agent/auth?code=" +
                           begun.body["code"].get<std::string>()})
            .data()["agentId"] == stranger.agent_id);
}

TEST_CASE("a no leaves the agent of a login outside, for good") {
    LoginScene scene;
    const auto stranger = plain_agent(scene.market, "Lins studio");
    const std::string question = scene.question_after(choosing(stranger));
    REQUIRE(scene.answer(scene.seller, question, "reject")["ok"] == true);
    const json again = scene.poll(scene.code);
    REQUIRE_MESSAGE(again.contains("error"), again.dump());
    CHECK(again["error"]["code"] == "conflict");
    scene.seller.stop();
    scene.seller.start();
    CHECK(scene.listed().size() == 1);
}

TEST_CASE("the first agent of a home stays its default whatever ids come later") {
    LoginScene scene;
    const auto lower = scene.agent_with_lower_id();
    const std::string question = scene.question_after(choosing(lower));
    REQUIRE(scene.answer(scene.seller, question, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return scene.listed().size() == 2; }));
    CHECK(scene.listed()[0]["agent_id"] == scene.seller_account.agent_id);
    CHECK(scene.default_agent() == scene.seller_account.agent_id);
    scene.seller.stop();
    scene.seller.start();
    CHECK(scene.default_agent() == scene.seller_account.agent_id);
    CHECK(scene.listed()[0]["agent_id"] == scene.seller_account.agent_id);
}

namespace {

/// A home with two agents: the seller's, and one with a lower id that the owner has taken in.
struct TwoAgents : LoginScene {
    TwoAgents() {
        const std::string question = question_after(choosing(second));
        REQUIRE(answer(seller, question, "approve")["ok"] == true);
        REQUIRE(runs(second.agent_id));
    }
    /// The question that a call of `agent_id` causes, whose text commits.
    std::string question_of(const std::string& agent_id) {
        const json asked =
            seller.call_assistant("send", json{{"agent", agent_id},
                                               {"target_agent_id", buyer_account.agent_id},
                                               {"text", "We agree: 900 CNY."}}
                                              .dump());
        REQUIRE_MESSAGE(asked.contains("error"), asked.dump());
        return asked["error"]["approval_id"];
    }
    std::string first_id() const { return seller_account.agent_id; }

    platform::Account second = agent_with_lower_id();
};

}  // namespace

TEST_CASE("each card of a home with two agents says which one acts, in both languages") {
    TwoAgents scene;
    const std::string question = scene.question_of(scene.second.agent_id);
    const std::string acting = "Lins studio (" + scene.second.agent_id + ")";
    const auto english = scene.seller.a2h({"approvals"});
    CHECK(english.out.find("Acting agent: " + acting) != std::string::npos);
    const auto chinese = scene.seller.a2h({"approvals"}, {}, "zh_CN.UTF-8");
    CHECK(chinese.out.find("行事的智能体：" + acting) != std::string::npos);
    const std::string own = scene.question_of(scene.first_id());
    const auto shown = scene.seller.a2h({"approvals", "--agent", scene.first_id()});
    const auto line = shown.out.find("Acting agent: ");
    REQUIRE(line != std::string::npos);
    CHECK(shown.out.substr(line, shown.out.find('\n', line) - line).find(scene.first_id()) !=
          std::string::npos);
    CHECK(shown.out.find(own) != std::string::npos);
}

TEST_CASE("a person sees and answers the questions of all agents, an assistant those of its own") {
    TwoAgents scene;
    const std::string own = scene.question_of(scene.first_id());
    const std::string other = scene.question_of(scene.second.agent_id);
    const auto all = scene.seller.a2h({"approvals"});
    CHECK(all.out.find(own) != std::string::npos);
    CHECK(all.out.find(other) != std::string::npos);
    const auto narrowed = scene.seller.a2h({"approvals", "--agent", scene.second.agent_id});
    CHECK(narrowed.out.find(own) == std::string::npos);
    CHECK(narrowed.out.find(other) != std::string::npos);
    const json assistants = scene.seller.call_assistant("approval.list")["data"]["approvals"];
    for (const json& approval : assistants)
        CHECK(approval["agent_id"] == scene.first_id());

    const auto approved =
        scene.seller.a2h({"approve", other, "--pin-stdin"}, std::string(Daemon::kPin) + "\n");
    CHECK_MESSAGE(approved.status == 0, approved.err);
    json newest;
    CHECK(eventually([&] {
        newest = scene.buyer.call_assistant("inbox.history",
                                            json{{"peer_id", scene.second.agent_id}}.dump());
        const json items = newest["data"]["items"];
        return !items.empty() && items[0]["text"] == "We agree: 900 CNY.";
    }));
    CHECK(scene.seller
              .a2h({"reject", own, "--agent", scene.second.agent_id, "--pin-stdin"},
                   std::string(Daemon::kPin) + "\n")
              .status != 0);
}

TEST_CASE("the owner takes an agent out of the home, with the PIN, but not the default one") {
    TwoAgents scene;
    const std::string question = scene.question_of(scene.second.agent_id);
    const auto remove = [&](const std::string& id, std::string_view pin) {
        return scene.seller.a2h({"agent", "remove", id, "--pin-stdin"}, std::string(pin) + "\n");
    };
    CHECK(scene.seller.call_assistant(
              "agent.remove",
              json{{"agent_id", scene.second.agent_id}, {"pin", Daemon::kPin}}.dump())["ok"] ==
          false);
    CHECK(remove(scene.second.agent_id, "000000").status != 0);
    CHECK(remove(scene.first_id(), Daemon::kPin).status != 0);
    CHECK(scene.listed().size() == 2);
    const auto removed = remove(scene.second.agent_id, Daemon::kPin);
    CHECK_MESSAGE(removed.status == 0, removed.err);
    CHECK(scene.listed().size() == 1);
    CHECK(scene.seller.a2h({"approvals"}).out.find(question) == std::string::npos);
    CHECK(scene.seller.status(scene.second.agent_id).empty());
    const auto identity = scene.seller.home() / "agents" / (scene.second.agent_id + ".json");
    CHECK_FALSE(std::filesystem::exists(identity));
    CHECK(std::filesystem::exists(identity.string() + ".removed"));
    scene.seller.stop();
    scene.seller.start();
    CHECK(scene.listed().size() == 1);
    CHECK(scene.seller.a2h({"approvals"}).out.find("Acting agent") == std::string::npos);
}
