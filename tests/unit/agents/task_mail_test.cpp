#include <doctest/doctest.h>

#include "core/domain/approval.h"
#include "core/store/mandate_store.h"
#include "daemon/card/card.h"
#include "daemon/consent/mandates.h"
#include "daemon/effects/rows.h"
#include "tests/unit/agents/post.h"

using namespace a2h;
using a2h::test::brief_json;
using a2h::test::Post;
using nlohmann::json;

TEST_CASE_FIXTURE(Post, "A task that an agent of the home gives is open at once, for both") {
    REQUIRE(s.send("ag_root", "ag_root2", "task_assignment",
                   {{"taskId", "task_1760000000000001"}, {"taskBrief", brief_json()}}));
    CHECK(s.assignment("ag_root", "task_1760000000000001").side == AssignmentSide::Given);
    const Assignment taken = s.assignment("ag_root2", "task_1760000000000001");
    CHECK(taken.state == AssignmentState::Open);
    CHECK(json::parse(taken.brief_json) == brief_json());
    CHECK(s.open_approvals("ag_root2").empty());
}

TEST_CASE_FIXTURE(
    Post, "Reports move a task to its end, and giver and human are notified of the outcome") {
    const auto spawned = s.try_spawn("ag_root");
    const std::string child = spawned->agent.agent_id;
    const std::string task_id = spawned->task_id;
    REQUIRE(s.send(child, "ag_root", "status_report",
                   {{"task_id", task_id}, {"status", "in_progress"}, {"summary", "half"}}));
    CHECK(s.assignment("ag_root", task_id).state == AssignmentState::Open);
    REQUIRE(s.send(child, "ag_root", "status_report",
                   {{"task_id", task_id}, {"status", "completed"}, {"summary", "42 words"}}));
    for (const std::string& side : {std::string("ag_root"), child}) {
        const Assignment ended = s.assignment(side, task_id);
        CHECK(ended.state == AssignmentState::Completed);
        CHECK(json::parse(ended.outcome_json)["summary"] == "42 words");
        CHECK(s.story(side, task_id) ==
              std::vector<std::string>{"assigned", "report", "report", "ended"});
    }
    CHECK(s.events("task.ended").size() == 2);
    CHECK(s.send(child, "ag_root", "status_report",
                 {{"task_id", task_id}, {"status", "completed"}, {"summary", "again"}})
              .error()
              .code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(Post, "The giver takes a task back, and its worker is notified") {
    const auto spawned = s.try_spawn("ag_root");
    REQUIRE(s.send("ag_root", spawned->agent.agent_id, "status_report",
                   {{"task_id", spawned->task_id},
                    {"status", "cancelled"},
                    {"summary", "not needed any more"}}));
    CHECK(s.assignment("ag_root", spawned->task_id).state == AssignmentState::Cancelled);
    CHECK(s.assignment(spawned->agent.agent_id, spawned->task_id).state ==
          AssignmentState::Cancelled);
}

TEST_CASE_FIXTURE(Post,
                  "A report about nobody's task is not sent, and changes nothing where it comes") {
    CHECK(s.send("ag_root", "ag_root2", "status_report",
                 {{"task_id", "task_1760000000000009"}, {"status", "completed"}, {"summary", "?"}})
              .error()
              .code == ErrorCode::NotFound);
    const InboxMessage message = s.receive(
        "ag_far", "ag_root", "status_report",
        {{"task_id", "task_1760000000000009"}, {"status", "completed"}, {"summary", "?"}});
    CHECK(s.job_of(message).rule_id == "house.ignored");
}

TEST_CASE_FIXTURE(Post, "Nobody but its worker, proved, reports on a task") {
    REQUIRE(s.send("ag_root", "ag_far", "task_assignment",
                   {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}}));
    const json done = {
        {"task_id", "task_1760000000000001"}, {"status", "completed"}, {"summary", "done"}};
    s.receive("ag_other", "ag_root", "status_report", done);
    s.receive("ag_far", "ag_root", "status_report", done, Provenance::Unverified);
    s.receive("ag_far", "ag_root", "status_report", done, Provenance::Forged);
    CHECK(s.assignment("ag_root", "task_1760000000000001").state == AssignmentState::Open);
    s.receive("ag_far", "ag_root", "status_report", done, Provenance::Vouched);
    CHECK(s.assignment("ag_root", "task_1760000000000001").state == AssignmentState::Completed);
}

TEST_CASE_FIXTURE(Post,
                  "A faulty message changes nothing, and its event names all that is missing") {
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "task_assignment", {{"task_brief", {{"objective", "x"}}}});
    const Job job = s.job_of(message);
    CHECK(job.state == JobState::Done);
    CHECK(job.rule_id == "house.ignored");
    CHECK(job.why.find("task_brief.inputs") != std::string::npos);
    const json detail = json::parse(s.events("message.decided").back().detail_json);
    CHECK(detail["error"] == "invalid_message_format");
    CHECK(detail["missing_fields"] == json{"task_id", "task_brief.constraints", "task_brief.inputs",
                                           "task_brief.outputs", "task_brief.completion_criteria"});
    CHECK(store::live_assignments(*s.reader, "ag_root")->empty());
    CHECK(s.send("ag_root", "ag_far", "introduction_request", {{"reason", "r"}}).error().code ==
          ErrorCode::InvalidArgument);
    CHECK(outbox("ag_root").empty());
}

TEST_CASE_FIXTURE(Post, "A task may carry a share of its giver's mandate, until it has ended") {
    MandateTerms terms;
    terms.agent_id = "ag_root";
    terms.action = "order.create";
    terms.currency = "CNY";
    terms.amount_from_minor = 1'000;
    terms.amount_to_minor = 10'000;
    terms.count_per_day = 5;
    terms.starts_ms = test::kHomeAt;
    terms.ends_ms = test::kHomeAt + 86'400'000;
    const auto assign = [&](const std::string& from, const std::string& to,
                            const std::string& task_id, const std::string& mandate) {
        return s.write([&](store::Database& db) -> Result<void> {
            OutboxMessage message = effects::new_mail(
                from, to, "task_assignment", {{"task_id", task_id}, {"task_brief", brief_json()}},
                "task:test", s.clock.now_ms());
            const auto place = agents::queue_assignment(db, message, mandate);
            return place ? Result<void>() : fail(place.error());
        });
    };
    CHECK(assign("ag_root", "ag_root2", "task_1760000000000000", "{}").error().code ==
          ErrorCode::PermissionDenied);
    REQUIRE(s.write([&](store::Database& db) -> Result<void> {
        const auto given =
            mandates::give(db, terms, {"human", AnswerSurface::Terminal}, s.clock.now_ms());
        return given ? Result<void>() : fail(given.error());
    }));
    CHECK(assign("ag_root", "ag_root2", "task_1760000000000000", R"({"amount_to_minor":10001})")
              .error()
              .code == ErrorCode::PermissionDenied);
    REQUIRE(assign("ag_root", "ag_root2", "task_1760000000000001", R"({"amount_to_minor":5000})"));
    s.on_loop([&] { s.dispatcher->search_due(); });
    s.settle();
    const auto shares = store::list_mandates(*s.reader, "ag_root2", false, 9).value();
    REQUIRE(shares.size() == 1);
    CHECK(s.assignment("ag_root2", "task_1760000000000001").mandate_id == shares[0].id);
    CHECK(s.assignment("ag_root", "task_1760000000000001").mandate_id == shares[0].id);
    CHECK_FALSE(store::get_assignment(*s.reader, "ag_root", "task_1760000000000000")->has_value());
    REQUIRE(s.send(
        "ag_root2", "ag_root", "status_report",
        {{"task_id", "task_1760000000000001"}, {"status", "completed"}, {"summary", "done"}}));
    CHECK(store::list_mandates(*s.reader, "ag_root2", false, 9)->empty());
}

TEST_CASE_FIXTURE(Post, "A task from another home is offered, and open once the human says yes") {
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "task_assignment",
                  {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}});
    CHECK(s.assignment("ag_root", "task_1760000000000001").state == AssignmentState::Offered);
    CHECK(s.job_of(message).state == JobState::WaitingForHuman);
    const auto asked = s.open_approvals("ag_root");
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].action == "task.accept");
    CHECK(asked[0].question.find("Count the words") != std::string::npos);
    CHECK(
        s.send(
             "ag_root", "ag_far", "status_report",
             {{"task_id", "task_1760000000000001"}, {"status", "completed"}, {"summary", "early"}})
            .error()
            .code == ErrorCode::Conflict);
    s.answer(asked[0], AnswerKind::Approve);
    CHECK(s.assignment("ag_root", "task_1760000000000001").state == AssignmentState::Open);
    REQUIRE(outbox("ag_root").size() == 1);
    CHECK(json::parse(outbox("ag_root")[0].payload_json)["status"] == "in_progress");
    CHECK(s.job_of(message).state == JobState::Done);
}

TEST_CASE_FIXTURE(Post, "The question about a task holds all of its message") {
    json brief = brief_json();
    brief["extra"] = "EXTRA of the brief";
    s.receive("ag_far", "ag_root", "task_assignment",
              {{"task_id", "task_1760000000000001"},
               {"task_brief", brief},
               {"penalty", "you pay 900 CNY"}});
    const Approval asked = s.open_approvals("ag_root").at(0);
    const auto lines = card::card_of(asked, i18n::Language::English).lines;
    const std::string card = card::in_text(lines, i18n::Language::English);
    CHECK(card.find("EXTRA of the brief") != std::string::npos);
    CHECK(card.find("you pay 900 CNY") != std::string::npos);
}

TEST_CASE_FIXTURE(Post, "A no declines the task, and its giver is notified") {
    s.receive("ag_far", "ag_root", "task_assignment",
              {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}});
    const Approval asked = s.open_approvals("ag_root").at(0);
    CHECK_FALSE(asked.reject_text.empty());
    s.answer(asked, AnswerKind::Reject);
    CHECK(s.assignment("ag_root", "task_1760000000000001").state == AssignmentState::Declined);
    REQUIRE(outbox("ag_root").size() == 1);
    CHECK(outbox("ag_root")[0].message_type == "status_report");
    const json sent = json::parse(outbox("ag_root")[0].payload_json);
    CHECK(sent["status"] == "failed");
    CHECK(sent["summary"] == asked.reject_text);
}

TEST_CASE_FIXTURE(Post, "An offer that nobody answers ends, and says nothing to its giver") {
    s.receive("ag_far", "ag_root", "task_assignment",
              {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}});
    REQUIRE(s.write([&](store::Database& db) -> Result<void> {
        const auto expired =
            consent::expire_overdue(db, s.config->approval, s.clock.now_ms() + 1'000LL * 3600 * 25);
        return expired ? Result<void>() : fail(expired.error());
    }));
    CHECK(s.assignment("ag_root", "task_1760000000000001").state == AssignmentState::Declined);
    CHECK(outbox("ag_root").empty());
}

TEST_CASE_FIXTURE(Post, "The id of a task belongs to who used it first") {
    REQUIRE(s.send("ag_root", "ag_root2", "task_assignment",
                   {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}}));
    s.receive("ag_far", "ag_root2", "task_assignment",
              {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json("something else")}});
    CHECK(s.assignment("ag_root2", "task_1760000000000001").peer_id == "ag_root");
    CHECK(s.send("ag_root", "ag_far", "task_assignment",
                 {{"task_id", "task_1760000000000001"}, {"task_brief", brief_json()}})
              .error()
              .code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(Post, "Mail about a task becomes part of the history of both sides") {
    const auto spawned = s.try_spawn("ag_root");
    const std::string child = spawned->agent.agent_id;
    REQUIRE(
        s.send(child, "ag_root", "collaboration_request",
               {{"request_id", "r1"}, {"request", "look at it"}, {"task_id", spawned->task_id}}));
    CHECK(s.story(child, spawned->task_id) == std::vector<std::string>{"assigned", "message"});
    CHECK(s.story("ag_root", spawned->task_id) == std::vector<std::string>{"assigned", "message"});
}
