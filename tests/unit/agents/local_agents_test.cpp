#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

#include "core/store/approval_store.h"
#include "core/store/mandate_store.h"
#include "core/wire/task_brief.h"
#include "daemon/agents/stops.h"
#include "daemon/consent/mandates.h"
#include "daemon/effects/rows.h"
#include "tests/unit/agents/home_scene.h"

using namespace a2h;
using a2h::test::HomeScene;
using a2h::test::sample_brief;
using nlohmann::json;

namespace {

struct InHome {
    test::TempDir dir;
    std::unique_ptr<HomeScene> scene = std::make_unique<HomeScene>(dir.path());

    HomeScene& s() { return *scene; }
    /// "ag_root may order for 100 CNY, five times a day."
    void give_mandate() {
        MandateTerms terms;
        terms.agent_id = "ag_root";
        terms.action = "order.create";
        terms.currency = "CNY";
        terms.amount_from_minor = 1'000;
        terms.amount_to_minor = 10'000;
        terms.count_per_day = 5;
        terms.starts_ms = test::kHomeAt;
        terms.ends_ms = test::kHomeAt + 86'400'000;
        REQUIRE(s().write([&](store::Database& db) -> Result<void> {
            const auto given =
                mandates::give(db, terms, {"human", AnswerSurface::Terminal}, s().clock.now_ms());
            return given ? Result<void>() : fail(given.error());
        }));
    }
    /// The state after a crash and a new start: nothing but the database.
    void start_again() {
        scene.reset();
        scene = std::make_unique<HomeScene>(dir.path());
    }
};

}  // namespace

TEST_CASE_FIXTURE(InHome, "A spawned agent has its whole brief in its mailbox and as its task") {
    TaskBrief brief = sample_brief("Find the best offer");
    brief.references = {"last year's list"};
    brief.priority = "high";
    const auto spawned = s().try_spawn("ag_root", brief);
    REQUIRE(spawned);
    const std::string child = spawned->agent.agent_id;
    const auto mail = s().mail(child, "ag_root");
    REQUIRE(mail.size() == 1);
    CHECK(mail[0].message_type == "task_assignment");
    CHECK(mail[0].provenance == Provenance::Verified);
    const json payload = json::parse(mail[0].payload_json);
    CHECK(wire::read_task_brief(payload["task_brief"]).value() == brief);
    CHECK(payload["task_id"] == spawned->task_id);
    const Assignment taken = s().assignment(child, spawned->task_id);
    CHECK(taken.side == AssignmentSide::Taken);
    CHECK(taken.state == AssignmentState::Open);
    CHECK(wire::read_task_brief(json::parse(taken.brief_json)).value() == brief);
    CHECK(s().assignment("ag_root", spawned->task_id).side == AssignmentSide::Given);
    CHECK(s().story(child, spawned->task_id) == std::vector<std::string>{"assigned"});
}

TEST_CASE_FIXTURE(InHome, "Parent and child are each other's contacts, and collaborators preset") {
    TaskBrief brief = sample_brief();
    brief.collaborators = {{"ag_helper", "tester", "asks", InterfaceSpec{"tests", "a", "b", {}}},
                           {"ag_root2", "", "", std::nullopt}};
    const std::string child = s().spawn("ag_root", brief, "程序员");
    CHECK(s().contact(child, "ag_root")->source == ContactSource::Parent);
    CHECK(s().contact(child, "ag_root")->role == "root");
    CHECK(s().contact("ag_root", child)->source == ContactSource::Parent);
    CHECK(s().contact("ag_root", child)->role == "程序员");
    CHECK_FALSE(s().contact("ag_root", child)->public_key.empty());
    const auto helper = s().contact(child, "ag_helper");
    CHECK(helper->source == ContactSource::Preset);
    CHECK(helper->role == "tester");
    CHECK(helper->interface_spec == brief.collaborators[0].interface_spec);
    CHECK(s().contact(child, "ag_root2")->role == "root");
}

TEST_CASE_FIXTURE(InHome, "The human and the owner's own agents know each other") {
    CHECK(s().contact("ag_root", "user")->source == ContactSource::System);
    CHECK(s().contact("user", "ag_root")->role == "root");
    CHECK(s().residents.address_of("root") == "ag_root");
    CHECK(s().residents.address_of("user") == "user");
    CHECK(s().residents.address_of("ag_x") == "ag_x");
}

TEST_CASE_FIXTURE(InHome, "Agents, tasks and keys are there again after a crash") {
    const std::string child = s().spawn("ag_root");
    const std::string grandchild = s().spawn(child, sample_brief(), "helper");
    const auto key_before = s().agents.at(grandchild)->identity.account.keys.key_pair.public_key;
    start_again();
    CHECK(s().started == std::vector<std::string>{child, grandchild});
    CHECK(s().agents.at(grandchild)->identity.account.keys.key_pair.public_key == key_before);
    CHECK(s().residents.is_ours(grandchild));
    CHECK(s().residents.role_of(grandchild) == "helper");
    CHECK(s().mail(grandchild, child).size() == 1);
    CHECK(s().send(grandchild, "ag_root", "general", {{"text", "I am back"}}));
    CHECK(s().mail("ag_root", grandchild).size() == 1);
}

TEST_CASE_FIXTURE(InHome, "A part of a task names the task that it is a part of") {
    const auto child = s().try_spawn("ag_root");
    const auto part = s().try_spawn(child->agent.agent_id);
    CHECK(s().assignment(child->agent.agent_id, part->task_id).parent_task_id == child->task_id);
    CHECK(s().assignment("ag_root", child->task_id).parent_task_id.empty());
}

TEST_CASE_FIXTURE(InHome, "A child gets a share of its maker's mandate, until its task has ended") {
    give_mandate();
    CHECK(s().try_spawn("ag_root", sample_brief(), "buyer", R"({"amount_to_minor":10001})")
              .error()
              .code == ErrorCode::PermissionDenied);
    CHECK(s().residents.list().empty());
    const auto buyer =
        s().try_spawn("ag_root", sample_brief(), "buyer", R"({"amount_to_minor":5000})");
    REQUIRE(buyer);
    const std::string child = buyer->agent.agent_id;
    CHECK(store::list_mandates(*s().reader, child, false, 9)->size() == 1);
    CHECK(s().assignment(child, buyer->task_id).mandate_id ==
          store::list_mandates(*s().reader, child, false, 9)->at(0).id);
    REQUIRE(
        s().send(child, "ag_root", "status_report",
                 {{"task_id", buyer->task_id}, {"status", "completed"}, {"summary", "bought"}}));
    CHECK(store::list_mandates(*s().reader, child, false, 9)->empty());
    CHECK(store::list_mandates(*s().reader, "ag_root", false, 9)->size() == 1);
}

TEST_CASE_FIXTURE(InHome, "A stopped agent has nothing left to spend") {
    give_mandate();
    const std::string child =
        s().try_spawn("ag_root", sample_brief(), "buyer", "{}")->agent.agent_id;
    REQUIRE(s().stop(child));
    CHECK(store::list_mandates(*s().reader, child, false, 9)->empty());
}

TEST_CASE_FIXTURE(InHome, "Roles are one word, and makers are there and active") {
    CHECK(s().try_spawn("ag_root", sample_brief(), "two words").error().code ==
          ErrorCode::InvalidArgument);
    CHECK(s().try_spawn("ag_root", sample_brief(), "").error().code == ErrorCode::InvalidArgument);
    CHECK(s().try_spawn("ag_root", sample_brief(), std::string(33, 'a')).error().code ==
          ErrorCode::InvalidArgument);
    CHECK(s().try_spawn("ag_nobody").error().code == ErrorCode::NotFound);
    const std::string child = s().spawn("ag_root");
    REQUIRE(s().stop(child));
    CHECK(s().try_spawn(child).error().code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(InHome, "A brief that fits into no message makes no agent") {
    CHECK(s().try_spawn("ag_root", sample_brief(std::string(70'000, 'x'))).error().code ==
          ErrorCode::InvalidArgument);
    CHECK(s().residents.list().empty());
    CHECK(s().started.empty());
}

TEST_CASE_FIXTURE(InHome, "Agents are made sixteen levels below the owner's own agents") {
    std::string last = "ag_root";
    for (int depth = 0; depth < agents::LocalAgents::kDepthMax; ++depth)
        last = s().spawn(last);
    CHECK(s().try_spawn(last).error().code == ErrorCode::ResourceExhausted);
}

TEST_CASE_FIXTURE(InHome,
                  "Stopping an agent stops all agents below it, and their givers learn of it") {
    const auto child = s().try_spawn("ag_root");
    const auto grandchild = s().try_spawn(child->agent.agent_id);
    const std::string other = s().spawn("ag_root");
    CHECK(*s().stop(child->agent.agent_id) == 2);
    CHECK(s().stopped ==
          std::vector<std::string>{grandchild->agent.agent_id, child->agent.agent_id});
    const Assignment given = s().assignment("ag_root", child->task_id);
    CHECK(given.state == AssignmentState::Cancelled);
    CHECK_FALSE(given.outcome_json.empty());
    CHECK(s().story("ag_root", child->task_id) == std::vector<std::string>{"assigned", "ended"});
    CHECK(s().assignment(grandchild->agent.agent_id, grandchild->task_id).state ==
          AssignmentState::Cancelled);
    CHECK(s().residents.is_stopped(grandchild->agent.agent_id));
    CHECK_FALSE(s().residents.is_ours(child->agent.agent_id));
    CHECK(s().residents.is_ours(other));
    CHECK(s().events("agent.stopped").size() == 2);
    start_again();
    CHECK(s().started == std::vector<std::string>{other});
    CHECK(s().residents.is_stopped(child->agent.agent_id));
    CHECK(s().residents.list().size() == 3);
}

TEST_CASE_FIXTURE(InHome, "Questions of a stopped agent are cancelled, and their yes is void") {
    const std::string child = s().spawn("ag_root");
    consent::Ask ask;
    ask.agent_id = child;
    ask.peer_id = "ag_far";
    ask.action = "order.create";
    ask.question = "May I?";
    for (const char* order : {"order_1", "order_2"}) {
        ask.order_id = order;
        REQUIRE(s().write([&](store::Database& db) -> Result<void> {
            const auto policy = s().config->approval;
            const UnixMs now_ms = s().clock.now_ms();
            const auto opened = consent::open_approval(
                db, consent::new_approval(ask, policy, now_ms), policy, now_ms);
            return opened ? Result<void>() : fail(opened.error());
        }));
    }
    const auto asked = s().open_approvals(child);
    REQUIRE(asked.size() == 2);
    CHECK(agents::has_open_question(*s().reader, child).value());
    CHECK_FALSE(agents::has_open_question(*s().reader, s().spawn("ag_root")).value());
    REQUIRE(s().write([&](store::Database& db) {
        Approval yes = asked[0];
        yes.status = ApprovalStatus::Approved;
        yes.surface = AnswerSurface::Terminal;
        return store::answer_approval(db, yes);
    }));
    REQUIRE(s().stop(child));
    const auto pending = store::get_approval(*s().reader, asked[1].id).value().value();
    CHECK(pending.status == ApprovalStatus::Cancelled);
    CHECK(pending.surface == AnswerSurface::System);
    const auto unused = store::get_approval(*s().reader, asked[0].id).value().value();
    CHECK(unused.status == ApprovalStatus::Approved);
    CHECK(unused.outcome == ApprovalOutcome::Failed);
    CHECK(s().events("approval.cancelled").size() == 2);
}

TEST_CASE_FIXTURE(InHome, "The owner's own agents and strangers are not stopped") {
    CHECK(s().stop("ag_root").error().code == ErrorCode::InvalidArgument);
    CHECK(s().stop("ag_stranger").error().code == ErrorCode::NotFound);
    const std::string child = s().spawn("ag_root");
    CHECK(*s().stop(child) == 1);
    CHECK(*s().stop(child) == 0);
}

TEST_CASE_FIXTURE(InHome,
                  "A registration at the market is kept, and a refused one changes nothing") {
    const std::string child = s().spawn("ag_root");
    const auto register_child = [&] {
        std::promise<Result<void>> done;
        s().on_loop([&] {
            s().local_agents->register_at_market(
                child, [&](Result<void> result) { done.set_value(std::move(result)); });
        });
        return done.get_future().get();
    };
    s().registration = fail(ErrorCode::Conflict, "taken");
    CHECK(register_child().error().code == ErrorCode::Conflict);
    CHECK_FALSE(s().residents.list()[0].is_registered);
    s().registration = std::string("market's key");
    CHECK(register_child());
    CHECK(s().agents.at(child)->is_registered);
    CHECK(register_child());
    start_again();
    CHECK(s().residents.list()[0].is_registered);
    CHECK(s().agents.at(child)->identity.account.keys.agent_key == "market's key");
}

TEST_CASE_FIXTURE(InHome, "A message to another agent of the home arrives once, from its sender") {
    const std::string child = s().spawn("ag_root");
    REQUIRE(s().send("ag_root2", child, "chat.request",
                     {{"text", "hello"}, {"from", "somebody else"}}));
    const auto mail = s().mail(child, "ag_root2");
    REQUIRE(mail.size() == 1);
    CHECK(mail[0].sender_id == "ag_root2");
    CHECK(mail[0].provenance == Provenance::Verified);
    CHECK(s().contact(child, "ag_root2")->source == ContactSource::FirstMessage);
    CHECK(s().contact(child, "ag_root2")->role == "root");
    const auto sent = store::list_outbox(*s().reader, "ag_root2", std::nullopt, 10).value();
    REQUIRE(sent.size() == 1);
    CHECK(sent[0].state == OutboxState::Delivered);
    const auto message = store::find_inbox(*s().reader, child, "ag_root2", mail[0].message_id);
    CHECK(s().job_of(**message).rule_id == "house.mail");
    CHECK(s().job_of(**message).state == JobState::Done);
    CHECK(s().open_approvals(child).empty());
    start_again();
    CHECK(s().mail(child, "ag_root2").size() == 1);
}

TEST_CASE_FIXTURE(InHome,
                  "Mail that was queued when a2hd was killed is delivered at the next start") {
    const std::string child = s().spawn("ag_root");
    const OutboxMessage message = effects::new_mail(
        "ag_root", child, "chat.request", {{"text", "late"}}, "task:test", s().clock.now_ms());
    REQUIRE(s().write([&](store::Database& db) -> Result<void> {
        const auto queued = agents::queue_mail(db, message);
        return queued ? Result<void>() : fail(queued.error());
    }));
    CHECK(s().mail(child, "ag_root").size() == 1);
    start_again();
    CHECK(s().mail(child, "ag_root").size() == 2);
    start_again();
    CHECK(s().mail(child, "ag_root").size() == 2);
}

TEST_CASE_FIXTURE(InHome, "A message in the home and its arrival are one commit") {
    auto failures = std::make_shared<std::atomic<int>>(1);
    s().writer->set_commit_gate([failures]() -> Result<void> {
        if (failures->fetch_sub(1) <= 0) return {};
        return fail(ErrorCode::ResourceExhausted, "disk full");
    });
    CHECK(s().send("ag_root", "ag_root2", "general", {{"text", "lost?"}}).error().code ==
          ErrorCode::ResourceExhausted);
    CHECK(s().mail("ag_root2", "ag_root").empty());
    CHECK(store::list_outbox(*s().reader, "ag_root", std::nullopt, 9)->empty());
    REQUIRE(s().send("ag_root", "ag_root2", "general", {{"text", "again"}}));
    CHECK(s().mail("ag_root2", "ag_root").size() == 1);
}

TEST_CASE_FIXTURE(InHome, "Mail in the home waits for what was written before it") {
    REQUIRE(s().write([&](store::Database& db) -> Result<void> {
        const auto queued = agents::queue_mail(
            db, effects::new_mail("ag_root", "ag_root2", "general", {{"text", "first"}},
                                  "task:test", s().clock.now_ms()));
        return queued ? Result<void>() : fail(queued.error());
    }));
    REQUIRE(s().send("ag_root", "ag_root2", "general", {{"text", "second"}}));
    const auto mail = s().mail("ag_root2", "ag_root");
    REQUIRE(mail.size() == 2);
    CHECK(mail[0].payload_json.find("second") != std::string::npos);  // the newest comes first
    CHECK(mail[1].payload_json.find("first") != std::string::npos);
    CHECK(s().metrics.sent_at_home.value() == 2);
}

TEST_CASE_FIXTURE(InHome, "R40: a message to somebody who is no contact goes all the same") {
    const std::string one = s().spawn("ag_root");
    const std::string other = s().spawn("ag_root2");
    REQUIRE_FALSE(s().contact(one, other));
    CHECK(s().send(one, other, "general", {{"text", "we have not met"}}));
    CHECK(s().mail(other, one).size() == 1);
}

TEST_CASE_FIXTURE(InHome, "A message to an agent that was stopped is a dead letter at once") {
    const std::string child = s().spawn("ag_root");
    REQUIRE(s().stop(child));
    REQUIRE(s().send("ag_root", child, "general", {{"text", "anybody there?"}}));
    const auto dead = store::list_outbox(*s().reader, "ag_root", OutboxState::Dead, 10).value();
    REQUIRE(dead.size() == 1);
    CHECK(dead[0].last_error == "agent_not_found");
    CHECK(s().events("outbox.dead").size() == 1);
    CHECK(s().mail(child, "ag_root").size() == 1);  // its brief
}

TEST_CASE_FIXTURE(InHome, "Fifty agents are spawned, all of them, once") {
    for (int i = 0; i < 50; ++i)
        s().spawn(i % 2 == 0 ? "ag_root" : "ag_root2");
    start_again();
    std::set<std::string> ids;
    for (const LocalAgent& agent : s().residents.list()) {
        ids.insert(agent.agent_id);
        CHECK(s().mail(agent.agent_id, agent.parent_id).size() == 1);
        CHECK(store::live_assignments(*s().reader, agent.agent_id)->size() == 1);
    }
    CHECK(ids.size() == 50);
    CHECK(s().events("agent.spawned").size() == 50);
}
