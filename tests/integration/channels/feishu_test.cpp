// A real a2hd and a stand-in of Feishu: a card out, presses back through the web hook.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "tests/support/daemon.h"
#include "tests/support/fake_channel_api.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;
using test::FakeChannelApi;

namespace {

struct Team {
    Team() {
        const auto secret = dir.path() / "team.secret";
        std::ofstream(secret) << "app_secret = \"s\"\nverification_token = \"vt\"\n";
        std::filesystem::permissions(secret, std::filesystem::perms(0600));
        platform::Account account;
        account.api_base = "http://127.0.0.1:1";
        account.agent_id = "ag_seller";
        account.keys.agent_key = "key";
        const std::string config =
            "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[[channel]]\nname = \"team\"\n"
            "kind = \"feishu\"\napp_id = \"cli_1\"\nreceive_id = \"ou_1\"\nusers = \"ou_1\"\n"
            "api_base = \"" +
            api.url() + "\"\nsecret_file = \"" + secret.string() +
            "\"\n[[person]]\nname = \"anna\"\nnormal = [\"team\"]\n";
        daemon =
            std::make_unique<test::Daemon>(dir.path() / "home", std::vector{account},
                                           "tcp://127.0.0.1:1", test::DaemonOptions{config, {}});
    }

    json card_shown() const {
        const json sent = api.last("/open-apis/im/v1/messages?receive_id_type=open_id").json;
        return json::parse(sent["content"].get<std::string>());
    }
    /// Feishu's call when `user` presses the button with this id; its answer.
    json press(const std::string& user, const std::string& id, const std::string& token = "vt") {
        const json event{{"schema", "2.0"},
                         {"header", {{"event_type", "card.action.trigger"}, {"token", token}}},
                         {"event",
                          {{"operator", {{"open_id", user}}},
                           {"action", {{"tag", "button"}, {"value", {{"a2h", id}}}}}}}};
        http::Client client({});
        const std::string url = daemon->status()["web"]["url"];
        const auto answer =
            client.send({.method = "POST", .url = url + "/hooks/team", .body = event.dump()});
        REQUIRE(answer.has_value());
        return answer->status == 200 ? json::parse(answer->body) : json(answer->status);
    }
    std::string status(const json& asked) {
        return daemon->call_human(
            "approval.list",
            json{{"approval_id", asked["approval_id"]}}.dump())["data"]["approvals"][0]["status"];
    }

    test::TempDir dir;
    FakeChannelApi api{
        "", [](const FakeChannelApi::Call& call) {
            if (call.path.ends_with("/tenant_access_token/internal"))
                return FakeChannelApi::reply(
                    {{"code", 0}, {"tenant_access_token", "t"}, {"expire", 7200}});
            return FakeChannelApi::reply({{"code", 0}, {"data", {{"message_id", "om_1"}}}});
        }};
    std::unique_ptr<test::Daemon> daemon;
};

}  // namespace

TEST_CASE("a press in Feishu by a permitted person answers and returns the final card") {
    Team team;
    const json asked = team.daemon->call_assistant(
        "approval.create", R"({"peer_id":"ag_buyer","question":"May I?"})")["data"];
    REQUIRE(asked["notified"][0]["ok"] == true);
    const std::string yes = team.card_shown()["elements"][1]["actions"][0]["value"]["a2h"];
    CHECK(team.press("ou_1", yes, "guess") == 401);
    const json other = team.press("ou_2", yes);
    CHECK(other["toast"]["type"] == "warning");
    CHECK(other["toast"]["content"] == "This button is for somebody else. Nothing was changed.");
    CHECK(team.status(asked) == "pending");
    const json told = team.press("ou_1", yes);
    CHECK(told["toast"]["type"] == "success");
    CHECK(team.status(asked) == "approved");
    CHECK(told["card"]["type"] == "raw");
    const std::string shown = told["card"]["data"]["elements"].dump();
    CHECK(shown.find("anna closed it without an answer by button") != std::string::npos);
    CHECK(told["card"]["data"]["elements"].size() == 1);
    CHECK(test::eventually([&] { return team.api.count("/open-apis/im/v1/messages/om_1") > 0; }));
}
