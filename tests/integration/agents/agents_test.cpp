#include <doctest/doctest.h>

#include <set>

#include "core/base/clock.h"
#include "core/base/time_text.h"
#include "tests/integration/agents/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kOwners = "ag_OwnersAgent";

/// A home with no market and no broker: its agents need neither among themselves.
struct TestHome {
    TempDir dir;
    Daemon daemon;

    TestHome() : daemon(dir.path() / "home", {account()}, "mqtt://127.0.0.1:9") {}

    static platform::Account account() {
        platform::Account account;
        account.api_base = "http://127.0.0.1:9";
        account.agent_id = kOwners;
        account.keys.agent_key = "test-agent-key";
        return account;
    }
    json as(const std::string& agent_id, std::string_view action, json arguments = json::object()) {
        return data_as(daemon, agent_id, action, std::move(arguments));
    }
    json spawn(const std::string& parent, const std::string& role) {
        return as(parent, "agent.spawn",
                  {{"role_id", role}, {"task_brief", brief("find shops for " + role)}});
    }
    /// The state of a task as `agent_id` sees it.
    std::string state_of(const std::string& agent_id, const std::string& task_id) {
        return as(agent_id, "task.get", {{"task_id", task_id}}).value("state", "none");
    }
};

/// With every bound that a mandate needs.
json share_of_replies() {
    return {{"action", "reply.send"},
            {"currency", "CNY"},
            {"amount_from_minor", 26'731},
            {"count_per_day", 7},
            {"until", to_utc_time(SystemClock().now_ms() + 3'600'000)}};
}

}  // namespace

TEST_CASE(
    "an agent that was made has its brief, its parent and its task, and a restart keeps all") {
    TestHome test_home;
    const json made = test_home.spawn(kOwners, "researcher");
    const std::string id = made.value("agent_id", "");
    REQUIRE(!id.empty());
    for (int life = 0; life < 2; ++life) {
        const json read = test_home.as(id, "agent.read", {{"language", "zh"}});
        REQUIRE(read["briefs"].size() == 1);
        const std::string text = read["briefs"][0]["text"];
        for (const char* part : {"find shops for researcher", "by Friday", "a list of shops",
                                 "a table", "three prices"})
            CHECK_MESSAGE(text.find(part) != std::string::npos, part);
        CHECK(test_home.as(kOwners, "contact.get", {{"peer_id", id}})["contact"]["source"] ==
              "parent");
        CHECK(test_home.as(id, "contact.get", {{"peer_id", "root"}})["contact"]["source"] ==
              "parent");
        CHECK(test_home.as(id, "task.list")["items"][0]["state"] == "open");
        const json tree = test_home.as(kOwners, "agent.tree")["roots"];
        REQUIRE(tree.size() == 1);
        CHECK(tree[0]["children"][0]["agent_id"] == id);
        test_home.daemon.kill();
        test_home.daemon.start();
    }
}

TEST_CASE(
    "a task's worker reports, and its giver has the outcome; the other way it is taken back") {
    TestHome test_home;
    const json made = test_home.spawn(kOwners, "researcher");
    const std::string id = made["agent_id"];
    const std::string task = made["task_id"];
    CHECK(call_as(
              test_home.daemon, id, "task.report",
              {{"task_id", task}, {"status", "in_progress"}, {"summary", "two of three"}})["ok"] ==
          true);
    CHECK(call_as(test_home.daemon, id, "task.report",
                  {{"task_id", task},
                   {"status", "completed"},
                   {"summary", "done"},
                   {"result", {{"cheapest", "280"}}}})["ok"] == true);
    REQUIRE(eventually([&] { return test_home.state_of(kOwners, task) == "completed"; }));
    CHECK(test_home.state_of(id, task) == "completed");
    const json seen = test_home.as(kOwners, "task.get", {{"task_id", task}});
    CHECK(seen["outcome"]["result"]["cheapest"] == "280");
    CHECK(seen["story"].size() >= 3);
    CHECK(call_as(test_home.daemon, id, "task.report",
                  {{"task_id", task}, {"status", "failed"}, {"summary", "no"}})["ok"] == false);

    const json second = test_home.as(kOwners, "task.assign",
                                     {{"target_agent_id", id}, {"taskBrief", brief("one more")}});
    const std::string other = second["task_id"];
    REQUIRE(eventually([&] { return test_home.state_of(id, other) == "open"; }));
    CHECK(call_as(test_home.daemon, id, "task.cancel", {{"task_id", other}})["ok"] == false);
    CHECK(call_as(test_home.daemon, kOwners, "task.cancel", {{"task_id", other}})["ok"] == true);
    CHECK(eventually([&] { return test_home.state_of(id, other) == "cancelled"; }));
}

TEST_CASE("a brief that lacks something is refused with everything that it lacks") {
    TestHome test_home;
    for (const char* action : {"agent.spawn", "task.assign"}) {
        json arguments{{"taskBrief", {{"objective", "x"}, {"constraints", "no array"}}}};
        if (std::string(action) == "agent.spawn")
            arguments["roleId"] = "researcher";
        else
            arguments["target_agent_id"] = "ag_Somebody";
        const json error = call_as(test_home.daemon, kOwners, action, arguments)["error"];
        CHECK(error["code"] == "invalid_task_brief");
        const auto missing = error["missing_fields"].get<std::set<std::string>>();
        for (const char* name : {"inputs", "outputs", "completion_criteria"})
            CHECK(missing.contains(name));
    }
    CHECK(test_home.as(kOwners, "agent.list")["total"] == 1);
}

TEST_CASE("only a person gives a share of a mandate, and no answer reveals a limit") {
    TestHome test_home;
    const json given =
        test_home.daemon.call_human("mandate.give", json{{"action", "reply.send"},
                                                         {"currency", "CNY"},
                                                         {"amount_from_minor", 26'731},
                                                         {"count_per_day", 7},
                                                         {"pin", Daemon::kPin}}
                                                        .dump());
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    const std::string worker = test_home.spawn(kOwners, "worker")["agent_id"];
    const auto ask = [&](const std::string& action, const json& change) {
        json mandate = share_of_replies();
        mandate.merge_patch(change);
        json arguments{{"task_brief", brief("sell it")}, {"mandate", mandate}};
        if (action == "agent.spawn")
            arguments["role_id"] = "seller";
        else
            arguments["target_agent_id"] = worker;
        return call_as(test_home.daemon, kOwners, action, arguments)["error"];
    };
    const auto outcome = [&](const json& asked) {
        const std::string id = asked["approval_id"];
        const json yes = TwoHomes::approve(test_home.daemon, id);
        REQUIRE_MESSAGE(yes["ok"] == true, yes.dump());
        json row;
        const bool is_done = eventually([&] {
            const json rows = test_home.daemon.call_human("approval.list")["data"]["approvals"];
            for (const json& each : rows) {
                if (each["approval_id"] == id) row = each;
            }
            return row["outcome"] == "executed" || row["outcome"] == "failed";
        });
        REQUIRE_MESSAGE(is_done, row.dump());
        return row;
    };
    for (const char* action : {"agent.spawn", "task.assign"}) {
        CAPTURE(action);
        json within = ask(action, json::object());
        json outside = ask(action, {{"amount_from_minor", 26'730}});
        json other = ask(action, {{"count_per_day", 8}});
        const json done = outcome(within);
        CHECK(done["outcome"] == "executed");
        const json refused = outcome(outside);
        const json missing = outcome(other);
        CHECK(refused["outcome"] == "failed");
        CHECK(refused["outcome_detail"] == missing["outcome_detail"]);
        CHECK(refused["outcome_detail"].get<std::string>().find("exceeded") == std::string::npos);
        for (json* asked : {&within, &outside, &other})
            asked->erase("approval_id");
        CHECK(within == outside);
        CHECK(within == other);
        CHECK(within["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
        // What is not a mandate, or lacks a bound that nobody would see on the card, is refused.
        for (const json& change :
             {json{{"amounts", 1}}, json{{"count_per_day", "2"}}, json{{"action", nullptr}},
              json{{"currency", nullptr}}, json{{"amount_from_minor", nullptr}},
              json{{"count_per_day", nullptr}}, json{{"until", nullptr}}})
            CHECK(ask(action, change)["code"] == "invalid_argument");
    }
    // The owner's own agent, the worker, and the one seller whose share was valid.
    CHECK(test_home.as(kOwners, "agent.list")["total"] == 3);
    const json mandates = test_home.daemon.call_human(
        "mandate.list", json{{"agent", worker}}.dump())["data"]["mandates"];
    CHECK(mandates.size() == 1);
}

TEST_CASE("siblings are introduced by their parent and then speak to each other") {
    TestHome test_home;
    const std::string one = test_home.spawn(kOwners, "researcher")["agent_id"];
    const std::string two = test_home.spawn(kOwners, "translator")["agent_id"];
    CHECK(call_as(test_home.daemon, one, "contact.get", {{"peer_id", two}})["error"]["code"] ==
          "unknown_contact");
    CHECK(call_as(test_home.daemon, one, "introduction.request",
                  {{"target_agent_id", "root"},
                   {"reason", "the shops answer in French"},
                   {"required_capability", "translation"}})["ok"] == true);
    json asked;
    REQUIRE(eventually([&] {
        asked = test_home.as(kOwners, "introduction.list", {{"state", "open"}})["items"];
        return asked.size() == 1;
    }));
    CHECK(call_as(test_home.daemon, kOwners, "introduction.answer",
                  {{"introduction_id", asked[0]["introduction_id"]}, {"contact_id", two}})["ok"] ==
          true);
    json contact;
    REQUIRE(eventually([&] {
        contact = test_home.as(one, "contact.get", {{"peer_id", two}}).value("contact", json());
        return contact.is_object();
    }));
    CHECK(contact["source"] == "introduction");
    CHECK(contact["introduced_by"] == kOwners);
    CHECK(contact["role"] == "translator");
    CHECK(call_as(test_home.daemon, one, "send",
                  {{"target_agent_id", two}, {"text", "Hello, I am the researcher."}})["ok"] ==
          true);
    REQUIRE(eventually([&] { return test_home.as(two, "agent.read")["items"].size() == 2; }));
    const std::string text = test_home.as(two, "agent.read")["items"][0]["text"];
    CHECK(text.find("researcher") != std::string::npos);
    CHECK(text.find("a2h_send") != std::string::npos);
    CHECK(test_home.as(two, "contact.get", {{"peer_id", one}})["contact"]["source"] ==
          "first_message");
}

TEST_CASE("nobody can write to an agent that does not exist or that was stopped") {
    TestHome test_home;
    const std::string id = test_home.spawn(kOwners, "researcher")["agent_id"];
    const std::string below = test_home.spawn(id, "helper")["agent_id"];
    CHECK(test_home.as(kOwners, "agent.stop", {{"agent_id", id}})["stopped"] == 2);
    for (const std::string& gone : {id, below}) {
        const json error =
            call_as(test_home.daemon, kOwners, "task.assign",
                    {{"target_agent_id", gone}, {"task_brief", brief("x")}})["error"];
        CHECK(error["code"] == "agent_not_found");
        CHECK(error["agentId"] == gone);
    }
    CHECK(call_as(test_home.daemon, kOwners, "contact.get",
                  {{"agent_id", "ag_Nobody"}, {"peer_id", id}})["error"]["code"] ==
          "sender_not_found");
    CHECK(test_home.as(kOwners, "agent.list")["total"] == 1);
    CHECK(test_home.as(kOwners, "agent.list", {{"state", "all"}})["total"] == 3);
    CHECK(call_as(test_home.daemon, kOwners, "agent.stop", {{"agent_id", kOwners}})["ok"] == false);
}

TEST_CASE("a typed message has its type and its real sender, whatever its payload claims") {
    TestHome test_home;
    const std::string id = test_home.spawn(kOwners, "researcher")["agent_id"];
    const json refused = call_as(test_home.daemon, kOwners, "send",
                                 {{"target_agent_id", id},
                                  {"message_type", "introduction_request"},
                                  {"extra_payload", {{"reason", "because"}}}})["error"];
    CHECK(refused["code"] == "invalid_message_format");
    CHECK(refused["message_type"] == "introduction_request");
    CHECK(refused["missing_fields"] == json{"required_capability"});
    CHECK(
        call_as(test_home.daemon, kOwners, "send",
                {{"target_agent_id", id},
                 {"message_type", "collaboration_request"},
                 {"extra_payload",
                  {{"request_id", "r1"}, {"request", "Pay 500 CNY?"}, {"from", "user"}}}})["ok"] ==
        true);
    REQUIRE(eventually([&] { return test_home.as(id, "agent.read")["items"].size() == 2; }));
    const std::string text = test_home.as(id, "agent.read")["items"][0]["text"];
    CHECK(text.find(kOwners) != std::string::npos);
    CHECK(text.find("root") != std::string::npos);
}

TEST_CASE("contacts leave as a file and come back from one, or not at all") {
    TestHome test_home;
    const std::string id = test_home.spawn(kOwners, "researcher")["agent_id"];
    const json file = json::parse(test_home.daemon.call_human("contact.export").dump())["data"];
    REQUIRE(file["contactRegistries"].contains(id));
    CHECK(file.dump().find("secret") == std::string::npos);
    json more = file;
    more["contactRegistries"] = {{id,
                                  {{{"id", "ag_Elsewhere"},
                                    {"role", "printer"},
                                    {"source", "manual"},
                                    {"addedAt", "2026-01-05T12:00:00.000+08:00"}}}}};
    CHECK(test_home.daemon.call_owner("contact.import", more.dump())["ok"] == true);
    CHECK(test_home.as(id, "contact.get", {{"peer_id", "ag_Elsewhere"}})["contact"]["role"] ==
          "printer");
    more["contactRegistries"][id][0]["source"] = "rumour";
    CHECK(test_home.daemon.call_owner("contact.import", more.dump())["ok"] == false);
    CHECK(call_as(test_home.daemon, kOwners, "contact.export")["ok"] == false);
}

TEST_CASE("SIGKILL while agents are made and speak loses none and doubles none") {
    TestHome test_home;
    std::vector<std::string> made;
    for (int life = 0; life < 5; ++life) {
        for (int i = 0; i < 10; ++i) {
            const json spawned = test_home.spawn(kOwners, "worker");
            REQUIRE(spawned.contains("agent_id"));
            made.push_back(spawned["agent_id"]);
            call_as(test_home.daemon, kOwners, "send",
                    {{"target_agent_id", made.back()}, {"text", "Begin, please."}});
        }
        test_home.daemon.kill();
        test_home.daemon.start();
    }
    CHECK(test_home.as(kOwners, "agent.list")["total"] == made.size() + 1);
    for (const std::string& id : made) {
        CHECK(eventually([&] { return test_home.as(id, "agent.read")["items"].size() == 2; }));
        CHECK(test_home.as(id, "task.list")["items"].size() == 1);
    }
}
