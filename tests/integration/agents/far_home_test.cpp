// Two real a2hd on one market: agents of one home and those of another.

#include <doctest/doctest.h>

#include "tests/integration/agents/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

struct FarHomes : TwoHomes {
    /// Calls as an assistant, and gives the human's yes if one is needed.
    json call(Daemon& daemon, std::string_view action, const json& arguments) {
        const json result = daemon.call_assistant(action, arguments.dump());
        if (result["ok"] == true) return result;
        const json& error = result["error"];
        if (!error.contains("approval_id")) return result;
        return approve(daemon, error["approval_id"], arguments.value("agent", ""));
    }
};

}  // namespace

TEST_CASE_FIXTURE(FarHomes, "An introduction across homes ends with a first message") {
    const json made =
        there.call_assistant("agent.spawn", json{{"role_id", "translator"},
                                                 {"task_brief", brief("Translate a page")},
                                                 {"register", true}}
                                                .dump());
    REQUIRE_MESSAGE(made["ok"] == true, made.dump());
    REQUIRE_MESSAGE(made["data"]["registered"] == true, made.dump());
    const std::string translator = made["data"]["agent_id"];
    REQUIRE(
        eventually([&] { return there.status(translator)["connection"]["connected"] == true; }));

    const json wanted = call(here, "introduction.request",
                             {{"target_agent_id", there_account.agent_id},
                              {"reason", "a page has to be in Chinese"},
                              {"required_capability", "translator"}});
    REQUIRE_MESSAGE(wanted["ok"] == true, wanted.dump());
    const json question = asked(there);
    CHECK(question["question"].get<std::string>().find(translator) != std::string::npos);
    CHECK(approve(there, question["approval_id"])["ok"] == true);
    json contact;
    REQUIRE(eventually([&] {
        contact = here.call_assistant("contact.get", json{{"peer_id", translator}}.dump());
        return contact["ok"] == true && contact["data"]["contact"]["source"] == "introduction";
    }));
    CHECK(contact["data"]["contact"]["introduced_by"] == there_account.agent_id);

    const json sent = call(here, "send", {{"target_agent_id", translator}, {"text", "Hello"}});
    REQUIRE_MESSAGE(sent["ok"] == true, sent.dump());
    REQUIRE(eventually([&] {
        const json known = there.call_assistant(
            "contact.get", json{{"agent", translator}, {"peer_id", here_account.agent_id}}.dump());
        return known["ok"] == true && known["data"]["contact"]["source"] == "first_message";
    }));
}

TEST_CASE_FIXTURE(FarHomes, "An agent that was made keeps its id at the market, over a restart") {
    const json made = here.call_assistant(
        "agent.spawn",
        json{{"role_id", "writer"}, {"task_brief", brief("Translate a page")}, {"register", true}}
            .dump());
    REQUIRE_MESSAGE(made["ok"] == true, made.dump());
    const std::string writer = made["data"]["agent_id"];
    CHECK(market.client(there_account).fetch_agent(writer)->agent_id == writer);
    here.kill();
    here.start();
    REQUIRE(eventually([&] { return here.status(writer)["connection"]["connected"] == true; }));
    const json sent = call(there, "send", {{"target_agent_id", writer}, {"text", "Hello"}});
    REQUIRE_MESSAGE(sent["ok"] == true, sent.dump());
    CHECK(eventually([&] { return here.status(writer)["counts"]["received"] == 2; }));
}
