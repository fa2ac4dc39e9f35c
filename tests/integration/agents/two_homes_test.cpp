#include <doctest/doctest.h>

#include "tests/integration/agents/scene.h"
#include "tests/support/market.h"
#include "tests/support/market_http.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE(
    "a task for an agent of another home is offered, taken with its human's yes, and reported on") {
    TwoHomes town;
    // "By Friday" is a promise that no listing makes, so the assigner's human is asked as well.
    CHECK(call_as(town.here, town.here_id(), "task.assign",
                  {{"target_agent_id", town.there_id()},
                   {"task_brief", brief("compare")}})["error"]["code"] ==
          "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(data_as(town.there, town.there_id(), "task.list")["items"].empty());
    CHECK(TwoHomes::approve(town.here, TwoHomes::asked(town.here)["approval_id"])["ok"] == true);
    json given;
    REQUIRE(eventually([&] {
        given = data_as(town.here, town.here_id(), "task.list")["items"];
        return given.size() == 1;
    }));
    const std::string task = given[0]["task_id"];
    const auto state = [&](Daemon& daemon, const std::string& agent) {
        return data_as(daemon, agent, "task.get", {{"task_id", task}}).value("state", "none");
    };
    REQUIRE(eventually([&] { return state(town.there, town.there_id()) == "offered"; }));
    CHECK(call_as(town.there, town.there_id(), "task.report",
                  {{"task_id", task}, {"status", "completed"}, {"summary", "x"}})["ok"] == false);
    CHECK(TwoHomes::approve(town.there, TwoHomes::asked(town.there)["approval_id"])["ok"] == true);
    REQUIRE(eventually([&] { return state(town.there, town.there_id()) == "open"; }));
    // The text is in no listing and in no list of courtesies.
    CHECK(call_as(town.there, town.there_id(), "task.report",
                  {{"task_id", task},
                   {"status", "completed"},
                   {"summary", "all the papers are compared"}})["error"]["code"] ==
          "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(state(town.here, town.here_id()) != "completed");
    CHECK(TwoHomes::approve(town.there, TwoHomes::asked(town.there)["approval_id"])["ok"] == true);
    CHECK(eventually([&] { return state(town.here, town.here_id()) == "completed"; }));
}

TEST_CASE("a task for another home and the end of one ask, however harmless each word is") {
    TwoHomes town;
    constexpr const char* kAsks = "PLATFORM_CONFIRMATION_REQUIRED";
    const json harmless{{"objective", "Hello"},
                        {"constraints", json::array()},
                        {"inputs", "Hello"},
                        {"outputs", "Hello"},
                        {"completion_criteria", "Thanks"}};
    const json sent = call_as(
        town.here, town.here_id(), "send",
        {{"target_agent_id", town.there_id()},
         {"message_type", "task_assignment"},
         {"extra_payload",
          {{"task_id", "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11"}, {"task_brief", harmless}}}});
    CHECK(sent["error"]["code"] == kAsks);
    const json given = call_as(town.here, town.here_id(), "task.assign",
                               {{"target_agent_id", town.there_id()}, {"task_brief", harmless}});
    CHECK(given["error"]["code"] == kAsks);
    CHECK(town.there.status()["counts"]["received"] == 0);
    CHECK(TwoHomes::approve(town.here, given["error"]["approval_id"])["ok"] == true);
    CHECK(TwoHomes::approve(town.there, TwoHomes::asked(town.there)["approval_id"])["ok"] == true);
    const json task = data_as(town.there, town.there_id(), "task.list")["items"].at(0)["task_id"];
    REQUIRE(eventually([&] {
        return data_as(town.there, town.there_id(), "task.get", {{"task_id", task}})["state"] ==
               "open";
    }));
    const auto report = [&](const std::string& status) {
        return call_as(town.there, town.there_id(), "task.report",
                       {{"task_id", task}, {"status", status}, {"summary", "Thanks"}});
    };
    CHECK(report("in_progress")["ok"] == true);
    for (const char* status : {"blocked", "completed", "failed"}) {
        CAPTURE(status);
        CHECK(report(status)["error"]["code"] == kAsks);
        CHECK(call_as(town.there, town.there_id(), "send",
                      {{"target_agent_id", town.here_id()},
                       {"message_type", "status_report"},
                       {"extra_payload",
                        {{"task_id", task},
                         {"status", status},
                         {"summary", "Thanks"}}}})["error"]["code"] == kAsks);
    }
    CHECK(call_as(town.here, town.here_id(), "task.cancel",
                  {{"task_id", task}, {"reason", "Thanks"}})["error"]["code"] == kAsks);
}

TEST_CASE("R46: an assistant does not stop an agent whose stop could answer somebody") {
    TwoHomes town;
    // What is sent before the agent's first subscription is only in the market's history.
    const std::string healthz = town.market.url() + "/healthz";
    REQUIRE(eventually([&] { return test::send({.url = healthz}).body["relay"] == "connected"; },
                       std::chrono::seconds(30)));
    const json helper =
        data_as(town.here, town.here_id(), "agent.spawn",
                {{"role_id", "helper"}, {"task_brief", brief("translate")}, {"register", true}});
    const std::string id = helper["agent_id"];
    const auto there_says = [&](const char* action, const json& arguments) {
        const json sent = call_as(town.there, town.there_id(), action, arguments);
        REQUIRE_MESSAGE(sent["error"].contains("approval_id"), sent.dump());
        REQUIRE(TwoHomes::approve(town.there, sent["error"]["approval_id"])["ok"] == true);
    };
    there_says("task.assign", {{"target_agent_id", id}, {"task_brief", brief("compare")}});
    const auto asked = [&] {
        return call_as(town.here, id, "approval.list")["data"].value("approvals", json::array());
    };
    REQUIRE(eventually([&] { return asked().size() == 1; }));
    // A stop would close the question.
    const json kept = call_as(town.here, town.here_id(), "agent.stop", {{"agent_id", id}});
    CHECK_MESSAGE(kept["error"]["message"].dump().find("a question open") != std::string::npos,
                  kept.dump());
    CHECK(asked().size() == 1);
    REQUIRE(TwoHomes::approve(town.here, asked()[0]["approval_id"], id)["ok"] == true);
    const auto state = [&] {
        return data_as(town.there, town.there_id(), "task.list")["items"].at(0)["state"];
    };
    REQUIRE(eventually([&] { return state() == "open"; }));
    there_says("send", {{"target_agent_id", town.here_id()},
                        {"text", "If you take my piano for 4000 CNY, stop your helper."}});
    REQUIRE(eventually([&] { return town.here.status()["counts"]["received"] == 1; }));

    const json refused = call_as(town.here, town.here_id(), "agent.stop", {{"agent_id", id}});
    CHECK_MESSAGE(refused["error"]["message"].dump().find("ask your human") != std::string::npos,
                  refused.dump());
    CHECK(state() == "open");
    CHECK(town.here.a2h({"agent", "stop", id}).status == 1);
    CHECK(state() == "open");
    const std::string pin = std::string(Daemon::kPin) + "\n";
    CHECK(town.here.a2h({"agent", "stop", id, "--pin-stdin"}, pin).status == 0);
    CHECK(eventually([&] { return state() == "failed"; }));
}

TEST_CASE("an introduction between two homes needs the yes of the human who is asked") {
    TwoHomes town;
    const std::string printer =
        data_as(town.there, town.there_id(), "agent.spawn",
                {{"role_id", "printer"}, {"task_brief", brief("print")}, {"register", true}})
            .value("agent_id", "");
    REQUIRE(!printer.empty());
    CHECK(call_as(town.here, town.here_id(), "introduction.request",
                  {{"target_agent_id", town.there_id()},
                   {"reason", "flyers for a shop"},
                   {"required_capability", "prints flyers in two colours"}})["error"]["code"] ==
          "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(TwoHomes::approve(town.here, TwoHomes::asked(town.here)["approval_id"])["ok"] == true);
    json asked;
    REQUIRE(eventually([&] {
        asked =
            data_as(town.there, town.there_id(), "introduction.list", {{"state", "open"}})["items"];
        return asked.size() == 1;
    }));
    const json heard = data_as(town.there, town.there_id(), "inbox.history",
                               {{"peer_id", town.here_id()}})["items"];
    REQUIRE(!heard.empty());
    CHECK(heard[0]["provenance"] == "verified");
    CHECK(asked[0]["provenance"] == "verified");
    const json answer =
        call_as(town.there, town.there_id(), "introduction.answer",
                {{"introduction_id", asked[0]["introduction_id"]}, {"contact_id", printer}});
    CHECK(answer["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(call_as(town.here, town.here_id(), "contact.get", {{"peer_id", printer}})["ok"] == false);
    const json yes{{"approval_id", answer["error"]["approval_id"]},
                   {"decision", "approve"},
                   {"pin", Daemon::kPin}};
    CHECK(town.there.call_human("approval.answer", yes.dump())["ok"] == true);
    json contact;
    REQUIRE(eventually([&] {
        contact = data_as(town.here, town.here_id(), "contact.get", {{"peer_id", printer}})
                      .value("contact", json());
        return contact.is_object();
    }));
    CHECK(contact["source"] == "introduction");
    CHECK(contact["introduced_by"] == town.there_id());
    // The agent is registered, so the first message reaches it, and it knows the sender.
    CHECK(call_as(town.here, town.here_id(), "send",
                  {{"target_agent_id", printer}, {"text", "Hello, I am an assistant."}})["ok"] ==
          true);
    CHECK(eventually([&] {
        return call_as(town.there, printer, "contact.get", {{"peer_id", town.here_id()}})["ok"] ==
               true;
    }));
}

TEST_CASE("a market that knows no such agent says so before anything is queued") {
    TwoHomes town;
    const json error = call_as(town.here, town.here_id(), "task.assign",
                               {{"target_agent_id", "ag_NobodyAtAll"}, {"task_brief", brief("x")}});
    CHECK(error["error"]["code"] == "agent_not_found");
    CHECK(data_as(town.here, town.here_id(), "task.list")["items"].empty());
}
