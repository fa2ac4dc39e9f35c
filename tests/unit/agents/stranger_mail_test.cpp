#include <doctest/doctest.h>

#include "core/domain/approval.h"
#include "core/store/notification_store.h"
#include "tests/unit/agents/post.h"

using namespace a2h;
using a2h::test::brief_json;
using a2h::test::introduction_json;
using a2h::test::Post;
using nlohmann::json;

TEST_CASE_FIXTURE(Post, "A stranger has five offers open at most") {
    for (int i = 0; i < 7; ++i) {
        s.clock.advance(std::chrono::milliseconds(1));
        s.receive("ag_far", "ag_root", "task_assignment",
                  {{"task_id", "task_176000000000000" + std::to_string(i)},
                   {"task_brief", brief_json()}});
    }
    CHECK(store::live_assignments(*s.reader, "ag_root")->size() == 5);
    CHECK(s.open_approvals("ag_root").size() == 5);
}

TEST_CASE_FIXTURE(Post, "An id that could be words is not taken in, so that no answer repeats it") {
    know_tester("ag_root");
    for (const char* words : {"you pay 500", "we accept 50 EUR", "we-accept-50-EUR",
                              "weaccept50EUR", "ch_we_accept", "task_50"}) {
        CAPTURE(words);
        const std::pair<const char*, json> cases[] = {
            {"task_assignment", {{"task_id", words}, {"task_brief", brief_json()}}},
            {"task_assignment", {{"taskId", words}, {"taskBrief", brief_json()}}},
            {"introduction_request",
             {{"reason", "r"}, {"required_capability", "test"}, {"request_id", words}}},
            {"collaboration_request", {{"request_id", words}, {"request", "together?"}}}};
        for (const auto& [type, payload] : cases) {
            CAPTURE(payload.dump());
            const InboxMessage heard = s.receive("ag_far", "ag_root", type, payload);
            CHECK(s.job_of(heard).rule_id == "house.ignored");
            CHECK(s.job_of(heard).why.find("_id") != std::string::npos);
        }
        InboxMessage request = s.arrival("ag_far", "ag_root", "introduction_request",
                                         introduction_json(), Provenance::Verified);
        request.message_id = words;
        request = s.receive(std::move(request), {});
        CHECK(s.job_of(request).rule_id == "house.ignored");
        CHECK(s.job_of(request).why.find("message_id") != std::string::npos);
    }
    CHECK(s.open_approvals("ag_root").empty());
    CHECK(store::live_assignments(*s.reader, "ag_root")->empty());
    CHECK(outbox("ag_root").empty());
}

TEST_CASE_FIXTURE(Post, "R49: requests of unproved senders use up limits of their own") {
    const auto five_unproved = [&](const std::string& type, const auto& payload_of) {
        for (int i = 0; i < 7; ++i) {
            s.clock.advance(std::chrono::milliseconds(1));
            s.receive("ag_far", "ag_root", type, payload_of(i), Provenance::Unverified);
        }
    };
    const auto task = [](int i) {
        return json{{"task_id", "task_176000000000000" + std::to_string(i)},
                    {"task_brief", brief_json()}};
    };
    five_unproved("task_assignment", task);
    CHECK(s.open_approvals("ag_root").size() == 5);
    s.clock.advance(std::chrono::milliseconds(1));
    const InboxMessage offered = s.receive("ag_far", "ag_root", "task_assignment", task(8));
    CHECK(s.job_of(offered).rule_id == "house.mail");
    CHECK(s.open_approvals("ag_root").size() == 6);
    CHECK(s.assignment("ag_root", "task_1760000000000008").state == AssignmentState::Offered);

    const auto wish = [](int i) {
        return json{{"reason", std::to_string(i)}, {"required_capability", "test"}};
    };
    five_unproved("introduction_request", wish);
    s.clock.advance(std::chrono::milliseconds(1));
    const InboxMessage wanted = s.receive("ag_far", "ag_root", "introduction_request", wish(8));
    CHECK(s.job_of(wanted).rule_id == "house.mail");
    CHECK(store::list_introductions(*s.reader, "ag_root", IntroductionState::Open, 0, 99)
              ->items.size() == 6);
}

TEST_CASE_FIXTURE(Post, "R49: an unproved message does not block a task id for its real sender") {
    const auto brief_of = [&](const Approval& asked) {
        return json::parse(asked.action_json)["request"]["task_brief"]["objective"];
    };
    const auto offer = [&](const std::string& from, const std::string& objective,
                           Provenance provenance) {
        s.clock.advance(std::chrono::milliseconds(1));
        s.receive(from, "ag_root", "task_assignment",
                  {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json(objective)}},
                  provenance);
    };
    offer("ag_far", "forged", Provenance::Unverified);
    offer("ag_other", "copied", Provenance::Verified);
    offer("ag_far", "genuine", Provenance::Verified);
    offer("ag_far", "forged again", Provenance::Unverified);
    const auto asked = s.open_approvals("ag_root");
    REQUIRE(asked.size() == 3);
    for (const Approval& each : asked) {
        if (brief_of(each) == "genuine") s.answer(each, AnswerKind::Approve);
        if (brief_of(each) == "forged") s.answer(each, AnswerKind::Reject);
    }
    const Assignment taken = s.assignment("ag_root", "task_1760000000000001");
    CHECK(taken.state == AssignmentState::Open);
    CHECK(taken.peer_id == "ag_far");
    CHECK(json::parse(taken.brief_json) == brief_json("genuine"));
    CHECK(s.story("ag_root", "task_1760000000000001") ==
          std::vector<std::string>{"assigned", "accepted"});
    REQUIRE(s.open_approvals("ag_root").size() == 1);
    CHECK(brief_of(s.open_approvals("ag_root")[0]) == "copied");
}

TEST_CASE_FIXTURE(Post, "R49: a forged request for an introduction keeps no id from the true one") {
    know_tester("ag_root");
    const auto ask = [&](const std::string& reason, Provenance provenance) {
        InboxMessage message =
            s.arrival("ag_far", "ag_root", "introduction_request",
                      {{"reason", reason}, {"required_capability", "test"}}, provenance);
        message.message_id = "msg_1760000000000_0badf00d";
        return s.receive(std::move(message),
                         {.is_senders = [](const std::string&) { return false; }});
    };
    ask("forged", Provenance::Unverified);
    const InboxMessage genuine = ask("genuine", Provenance::Verified);
    CHECK(s.job_of(genuine).state == JobState::WaitingForHuman);
    const auto asked = s.open_approvals("ag_root");
    REQUIRE(asked.size() == 2);
    for (const Approval& each : asked) {
        if (each.provenance == "unverified") s.answer(each, AnswerKind::Reject);
    }
    const auto standing = store::find_introduction(*s.reader, "ag_root", IntroductionSide::Asked,
                                                   "msg_1760000000000_0badf00d");
    REQUIRE(standing->has_value());
    CHECK((*standing)->reason == "genuine");
    CHECK((*standing)->state == IntroductionState::Open);
}

TEST_CASE_FIXTURE(Post,
                  "A sender that claims without proof to be of the home counts as a stranger") {
    const std::string child = s.spawn("ag_root");
    s.receive("ag_root", child, "task_assignment",
              {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}},
              Provenance::Unverified);
    CHECK(s.assignment(child, "task_1760000000000001").state == AssignmentState::Offered);
    CHECK(s.open_approvals(child).size() == 1);
}

TEST_CASE("A request to work together, and its answer, reach the human") {
    Config config;
    config.approval.people = {Person{}};
    config.approval.people[0].low = config.approval.people[0].normal =
        config.approval.people[0].high = {{"terminal"}};
    a2h::test::TempDir dir;
    a2h::test::HomeScene s(dir.path(), config);
    const auto told = [&](const char* kind) {
        std::string text;
        const auto rows = store::list_notifications(*s.reader, 100);
        for (const Notification& row : *rows)
            if (row.kind == kind) text = row.body_json;
        return text;
    };
    s.receive(
        "ag_far", "ag_root", "collaboration_request",
        {{"request_id", "req_9b2f1c7e00004001"}, {"request", "Shall we paint the shop together?"}});
    CHECK(told("collaboration.asked").find("paint the shop") != std::string::npos);
    s.receive(
        "ag_far", "ag_root", "collaboration_response",
        {{"request_id", "req_9b2f1c7e00004002"}, {"accepted", true}, {"response", "Gladly."}});
    CHECK(told("collaboration.answered").find("Gladly") != std::string::npos);
    CHECK(s.open_approvals("ag_root").empty());
}
