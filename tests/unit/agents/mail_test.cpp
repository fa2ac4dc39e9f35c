#include <doctest/doctest.h>

#include "core/domain/approval.h"
#include "core/store/mandate_store.h"
#include "daemon/card/card.h"
#include "daemon/consent/mandates.h"
#include "daemon/effects/rows.h"
#include "tests/unit/agents/home_scene.h"

using namespace a2h;
using a2h::test::brief_json;
using a2h::test::HomeScene;
using a2h::test::sample_brief;
using nlohmann::json;

namespace {

Config config_with(agents::Introductions introductions) {
    Config config;
    config.agents.introductions = introductions;
    return config;
}

struct Post {
    explicit Post(agents::Introductions policy = agents::Introductions::Ask)
        : s(dir.path(), config_with(policy)) {}

    test::TempDir dir;
    HomeScene s;

    /// A tester whom `agent_id` may name to others.
    void know_tester(const std::string& agent_id) {
        REQUIRE(s.write([&](store::Database& db) {
            Contact tester;
            tester.agent_id = agent_id;
            tester.peer_id = "ag_tester";
            tester.source = ContactSource::Manual;
            tester.role = "Tester";
            tester.interface_spec = InterfaceSpec{"tests programs", "files", "report", {}};
            return store::put_contact(db, tester);
        }));
    }
    std::vector<OutboxMessage> outbox(const std::string& agent_id) {
        return store::list_outbox(*s.reader, agent_id, std::nullopt, 100).value();
    }
};

const json kIntroduction = {{"reason", "my program needs tests"}, {"required_capability", "test"}};

}  // namespace

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
    s.on_loop([&] { s.dispatcher->kick(); });
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
        InboxMessage request = s.arrival("ag_far", "ag_root", "introduction_request", kIntroduction,
                                         Provenance::Verified);
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

TEST_CASE_FIXTURE(Post,
                  "An introduction within the home puts the contact into the asker's registry") {
    const std::string asker = s.spawn("ag_root");
    const auto request = s.send(asker, "ag_root", "introduction_request", kIntroduction);
    REQUIRE(request);
    const auto asked =
        store::get_introduction(*s.reader, "ag_root", asker, IntroductionSide::Asked, *request);
    CHECK((*asked)->required_capability == "test");
    CHECK(s.open_approvals("ag_root").empty());
    REQUIRE(s.send(
        "ag_root", asker, "introduction_response",
        {{"request_id", *request},
         {"introduced", true},
         {"contact",
          {{"id", "ag_tester"},
           {"role", "tester"},
           {"interfaceSpec",
            {{"services", "tests"}, {"input_format", "files"}, {"output_format", "report"}}}}}}));
    const auto contact = s.contact(asker, "ag_tester");
    REQUIRE(contact);
    CHECK(contact->source == ContactSource::Introduction);
    CHECK(contact->introduced_by == "ag_root");
    CHECK(contact->role == "tester");
    CHECK(contact->interface_spec->services == "tests");
    const auto settled = [&](const std::string& agent, const std::string& peer,
                             IntroductionSide side) {
        return store::get_introduction(*s.reader, agent, peer, side, *request).value()->state;
    };
    CHECK(settled(asker, "ag_root", IntroductionSide::Asking) == IntroductionState::Answered);
    CHECK(settled("ag_root", asker, IntroductionSide::Asked) == IntroductionState::Answered);
}

TEST_CASE_FIXTURE(Post, "A refused introduction leaves no contact, and says why") {
    const auto request = s.send("ag_root", "ag_root2", "introduction_request", kIntroduction);
    REQUIRE(s.send("ag_root2", "ag_root", "introduction_response",
                   {{"request_id", *request}, {"introduced", false}, {"reason", "nobody"}}));
    const auto asked = store::get_introduction(*s.reader, "ag_root", "ag_root2",
                                               IntroductionSide::Asking, *request);
    CHECK((*asked)->state == IntroductionState::Declined);
    CHECK((*asked)->refusal == "nobody");
}

TEST_CASE_FIXTURE(Post, "An answer that nobody asked for introduces nobody") {
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "ag_thief"}, {"role", "bank"}}}});
    CHECK_FALSE(s.contact("ag_root", "ag_thief"));
    REQUIRE(s.send("ag_root", "ag_far", "introduction_request", kIntroduction));
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "ag_thief"}, {"role", "bank"}}}},
              Provenance::Unverified);
    CHECK_FALSE(s.contact("ag_root", "ag_thief"));
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "not an id"}, {"role", "bank"}}}});
    CHECK_FALSE(s.contact("ag_root", "not an id"));
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "ag_friend"}, {"role", "bank"}}}});
    CHECK(s.contact("ag_root", "ag_friend")->introduced_by == "ag_far");
}

TEST_CASE_FIXTURE(Post, "An introduction does not change a contact that is better known") {
    know_tester("ag_root");
    const auto request = s.send("ag_root", "ag_root2", "introduction_request", kIntroduction);
    REQUIRE(s.send("ag_root2", "ag_root", "introduction_response",
                   {{"request_id", *request},
                    {"introduced", true},
                    {"contact", {{"id", "ag_tester"}, {"role", "other"}}}}));
    CHECK(s.contact("ag_root", "ag_tester")->source == ContactSource::Manual);
    CHECK(s.contact("ag_root", "ag_tester")->role == "Tester");
}

TEST_CASE_FIXTURE(Post,
                  "From elsewhere an introduction is the human's to make, and the yes sends it") {
    know_tester("ag_root");
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "introduction_request", kIntroduction);
    const auto asked = s.open_approvals("ag_root");
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].action == "message.send");
    CHECK(asked[0].question.find("ag_tester") != std::string::npos);
    CHECK(outbox("ag_root").empty());
    const json request = json::parse(asked[0].action_json)["request"];
    CHECK(request["payload"]["contact"]["id"] == "ag_tester");
    CHECK(request["payload"]["request_id"] == message.message_id);
}

TEST_CASE_FIXTURE(Post, "The question about an introduction holds all that is asked for") {
    know_tester("ag_root");
    json request = kIntroduction;
    request["reason"] = std::string(300, 'x') + " and you pay all damages";
    s.receive("ag_far", "ag_root", "introduction_request", request);
    const Approval asked = s.open_approvals("ag_root").at(0);
    CHECK(asked.question.find("damages") == std::string::npos);
    CHECK(asked.context.find("and you pay all damages") != std::string::npos);
}

TEST_CASE_FIXTURE(Post, "A no to an introduction refuses it") {
    know_tester("ag_root");
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "introduction_request", kIntroduction);
    const Approval asked = s.open_approvals("ag_root").at(0);
    CHECK_FALSE(asked.reject_text.empty());
    s.answer(asked, AnswerKind::Reject);
    const auto refused = store::get_introduction(*s.reader, "ag_root", "ag_far",
                                                 IntroductionSide::Asked, message.message_id);
    CHECK((*refused)->state == IntroductionState::Declined);
    REQUIRE(outbox("ag_root").size() == 1);
    const json sent = json::parse(outbox("ag_root")[0].payload_json);
    CHECK(sent["introduced"] == false);
    CHECK(sent["reason"] == asked.reject_text);
}

TEST_CASE_FIXTURE(Post, "A no to an assistant's words about an introduction sends nothing") {
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "introduction_request", kIntroduction);
    const json answer{{"request_id", message.message_id}, {"introduced", false}, {"reason", "No."}};
    consent::Ask ask;
    ask.agent_id = "ag_root";
    ask.peer_id = "ag_far";
    ask.action = "message.send";
    ask.requested_by = "tool:introduction.answer";
    ask.request_json = json{
        {"message_type", "introduction_response"},
        {"payload", answer},
        {"target_agent_id",
         "ag_far"}}.dump();
    REQUIRE(s.write([&](store::Database& db) -> Result<void> {
        const auto opened = consent::open_approval(
            db, consent::new_approval(ask, s.config->approval, s.clock.now_ms()),
            s.config->approval, s.clock.now_ms());
        return opened ? Result<void>() : fail(opened.error());
    }));
    s.answer(s.open_approvals("ag_root").at(0), AnswerKind::Reject);
    CHECK(outbox("ag_root").empty());
    const auto asked = store::get_introduction(*s.reader, "ag_root", "ag_far",
                                               IntroductionSide::Asked, message.message_id);
    CHECK((*asked)->state == IntroductionState::Open);
}

TEST_CASE_FIXTURE(Post, "The human is notified if there is nobody to name, and nothing is sent") {
    s.receive("ag_far", "ag_root", "introduction_request", kIntroduction);
    CHECK(s.open_approvals("ag_root").empty());
    CHECK(outbox("ag_root").empty());
    CHECK(store::list_introductions(*s.reader, "ag_root", IntroductionState::Open, 0, 9)
              ->items.size() == 1);
}

TEST_CASE("With the setting never, every introduction for another home is refused") {
    Post post(agents::Introductions::Never);
    post.know_tester("ag_root");
    post.s.receive("ag_far", "ag_root", "introduction_request", kIntroduction);
    CHECK(post.s.open_approvals("ag_root").empty());
    REQUIRE(post.outbox("ag_root").size() == 1);
    CHECK(json::parse(post.outbox("ag_root")[0].payload_json)["introduced"] == false);
}

TEST_CASE(
    "With the setting known, the agent answers known senders, and the human decides about others") {
    Post post(agents::Introductions::Known);
    post.know_tester("ag_root");
    post.s.receive("ag_tester", "ag_root", "introduction_request", kIntroduction);
    CHECK(post.s.open_approvals("ag_root").empty());
    post.s.receive("ag_far", "ag_root", "introduction_request", kIntroduction);
    CHECK(post.s.open_approvals("ag_root").size() == 1);
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

TEST_CASE_FIXTURE(Post, "Mail about a task becomes part of the history of both sides") {
    const auto spawned = s.try_spawn("ag_root");
    const std::string child = spawned->agent.agent_id;
    REQUIRE(
        s.send(child, "ag_root", "collaboration_request",
               {{"request_id", "r1"}, {"request", "look at it"}, {"task_id", spawned->task_id}}));
    CHECK(s.story(child, spawned->task_id) == std::vector<std::string>{"assigned", "message"});
    CHECK(s.story("ag_root", spawned->task_id) == std::vector<std::string>{"assigned", "message"});
}
