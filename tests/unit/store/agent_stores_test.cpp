#include <SQLiteCpp/SQLiteCpp.h>

#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/introduction_store.h"
#include "core/store/local_agent_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::StoreFixture;

namespace {

LocalAgent sample_agent(const std::string& id, const std::string& parent) {
    LocalAgent agent;
    agent.agent_id = id;
    agent.parent_id = parent;
    agent.role_id = "researcher";
    agent.agent_key = "key of " + id;
    agent.key_id = "k1";
    agent.public_key = "public";
    agent.secret_key = "secret";
    agent.created_at_ms = 5;
    return agent;
}

Assignment sample_assignment(const std::string& task_id, AssignmentState state) {
    Assignment task;
    task.task_id = task_id;
    task.agent_id = "ag_me";
    task.peer_id = "ag_giver";
    task.parent_task_id = "whole";
    task.brief_json = R"({"objective":"x"})";
    task.state = state;
    task.created_at_ms = 1;
    task.updated_at_ms = 1;
    return task;
}

Introduction sample_introduction(const std::string& id, const std::string& peer) {
    Introduction made;
    made.id = id;
    made.agent_id = "ag_me";
    made.peer_id = peer;
    made.side = IntroductionSide::Asked;
    made.reason = "a test is missing";
    made.required_capability = "testing";
    made.at_ms = 3;
    return made;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "Below an agent are those that it and its own made") {
    using Ids = std::vector<std::string>;
    REQUIRE(store::insert_local_agent(db(), sample_agent("ag_z", "ag_me")));
    REQUIRE(store::insert_local_agent(db(), sample_agent("ag_a", "ag_z")));
    REQUIRE(store::insert_local_agent(db(), sample_agent("ag_b", "ag_other")));
    CHECK(*store::active_agents_below(db(), "ag_me") == Ids{"ag_a", "ag_me", "ag_z"});
    REQUIRE(store::stop_local_agent(db(), "ag_a", 9));
    CHECK(*store::active_agents_below(db(), "ag_me") == Ids{"ag_me", "ag_z"});
}

TEST_CASE_FIXTURE(StoreFixture, "Local agents are read back in the order of their making") {
    REQUIRE(store::insert_local_agent(db(), sample_agent("ag_z", "ag_me")));
    REQUIRE(store::insert_local_agent(db(), sample_agent("ag_a", "ag_z")));
    CHECK(store::insert_local_agent(db(), sample_agent("ag_a", "ag_me")).error().code ==
          ErrorCode::Conflict);
    const auto all = store::list_local_agents(db());
    REQUIRE(all->size() == 2);
    CHECK((*all)[0].agent_id == "ag_z");
    CHECK((*all)[1].parent_id == "ag_z");
    CHECK((*all)[1].secret_key == "secret");
    CHECK((*all)[1].role_id == "researcher");
    CHECK_FALSE(store::get_local_agent(db(), "ag_nobody")->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "A local agent is stopped once and registered while it is active") {
    REQUIRE(store::insert_local_agent(db(), sample_agent("ag_z", "ag_me")));
    CHECK(store::set_local_agent_registered(db(), "ag_z", "market's key"));
    CHECK(store::stop_local_agent(db(), "ag_z", 9));
    const auto stopped = store::get_local_agent(db(), "ag_z");
    CHECK((*stopped)->is_registered);
    CHECK((*stopped)->agent_key == "market's key");
    CHECK((*stopped)->state == LocalAgentState::Stopped);
    CHECK((*stopped)->stopped_at_ms == 9);
    CHECK(store::stop_local_agent(db(), "ag_z", 10).error().code == ErrorCode::NotFound);
    CHECK(store::stop_local_agent(db(), "ag_no", 10).error().code == ErrorCode::NotFound);
    CHECK(store::set_local_agent_registered(db(), "ag_z", "x").error().code == ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "A task moves until it has ended") {
    REQUIRE(store::insert_assignment(db(), sample_assignment("t1", AssignmentState::Offered)));
    CHECK(store::insert_assignment(db(), sample_assignment("t1", AssignmentState::Open))
              .error()
              .code == ErrorCode::Conflict);
    Assignment moved = sample_assignment("t1", AssignmentState::Open);
    moved.updated_at_ms = 2;
    CHECK(store::move_assignment(db(), moved));
    moved.state = AssignmentState::Completed;
    moved.outcome_json = R"({"summary":"done"})";
    moved.mandate_id = "mdt_1";
    CHECK(store::move_assignment(db(), moved));
    const auto ended = store::get_assignment(db(), "ag_me", "t1");
    CHECK((*ended)->state == AssignmentState::Completed);
    CHECK((*ended)->outcome_json == R"({"summary":"done"})");
    CHECK((*ended)->mandate_id == "mdt_1");
    CHECK((*ended)->brief_json == R"({"objective":"x"})");
    moved.state = AssignmentState::Open;
    CHECK(store::move_assignment(db(), moved).error().code == ErrorCode::Conflict);
    moved.task_id = "t2";
    CHECK(store::move_assignment(db(), moved).error().code == ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "An id of several tasks means the agreed one, then the authentic one") {
    Assignment task = sample_assignment("t1", AssignmentState::Offered);
    const auto meant = [&] { return *store::get_assignment(db(), "ag_me", "t1").value(); };
    task.peer_id = "ag_forged";
    task.is_authentic = false;
    REQUIRE(store::insert_assignment(db(), task));
    task.is_authentic = true;
    task.peer_id = "ag_first";
    REQUIRE(store::insert_assignment(db(), task));
    task.peer_id = "ag_copied";
    REQUIRE(store::insert_assignment(db(), task));
    CHECK(meant().peer_id == "ag_first");
    task.state = AssignmentState::Open;
    REQUIRE(store::move_assignment(db(), task));
    CHECK(meant().peer_id == "ag_copied");
    CHECK(store::get_assignment(db(), "ag_me", "t1", {"ag_first", true}).value()->state ==
          AssignmentState::Offered);
    CHECK_FALSE(store::get_assignment(db(), "ag_me", "t1", {"ag_first", false})->has_value());
}

TEST_CASE_FIXTURE(StoreFixture,
                  "Tasks are listed newest first, page by page and by what they are") {
    for (int i = 1; i <= 5; ++i) {
        Assignment task = sample_assignment(
            "t" + std::to_string(i), i % 2 == 0 ? AssignmentState::Open : AssignmentState::Failed);
        if (i == 4) task.side = AssignmentSide::Given;
        if (i == 5) task.parent_task_id = "";
        REQUIRE(store::insert_assignment(db(), task));
    }
    const auto first = store::list_assignments(db(), "ag_me", {}, 0, 3);
    REQUIRE(first->items.size() == 3);
    CHECK(first->items[0].task_id == "t5");
    const auto second = store::list_assignments(db(), "ag_me", {}, first->next_before, 3);
    REQUIRE(second->items.size() == 2);
    CHECK(second->items[1].task_id == "t1");
    CHECK(second->next_before == 0);
    CHECK(store::list_assignments(db(), "ag_me", {.side = AssignmentSide::Given}, 0, 9)
              ->items.size() == 1);
    CHECK(store::list_assignments(db(), "ag_me", {.state = AssignmentState::Open}, 0, 9)
              ->items.size() == 2);
    CHECK(store::list_assignments(db(), "ag_me", {.parent_task_id = "whole"}, 0, 9)->items.size() ==
          4);
    CHECK(store::live_assignments(db(), "ag_me")->size() == 2);
    CHECK(store::live_assignments(db(), "ag_me", AssignmentSide::Given)->size() == 1);
    CHECK(store::list_assignments(db(), "ag_other", {}, 0, 9)->items.empty());
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A task's history is returned oldest first, from a given position") {
    for (const char* kind : {"assigned", "report", "ended"})
        REQUIRE(
            store::add_assignment_entry(db(), {0, "ag_me", "t1", kind, "m1", "{}", 7, "ag_peer"}));
    REQUIRE(store::add_assignment_entry(db(),
                                        {0, "ag_other", "t1", "assigned", "", "{}", 7, "ag_peer"}));
    REQUIRE(store::add_assignment_entry(
        db(), {0, "ag_me", "t1", "assigned", "", "{}", 7, "ag_peer", false}));
    Assignment task = sample_assignment("t1", AssignmentState::Open);
    task.peer_id = "ag_peer";
    const auto all = store::assignment_story(db(), task, 0, 10);
    REQUIRE(all->size() == 3);
    CHECK((*all)[0].kind == "assigned");
    CHECK((*all)[0].message_id == "m1");
    CHECK(store::assignment_story(db(), task, (*all)[0].id, 10)->size() == 2);
    CHECK(store::assignment_story(db(), task, 0, 2)->size() == 2);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A request for an introduction is answered once, by who was asked") {
    REQUIRE(store::insert_introduction(db(), sample_introduction("m1", "ag_a")));
    REQUIRE(store::insert_introduction(db(), sample_introduction("m1", "ag_b")));
    CHECK(store::insert_introduction(db(), sample_introduction("m1", "ag_a")).error().code ==
          ErrorCode::Conflict);
    Introduction answer = sample_introduction("m1", "ag_a");
    answer.state = IntroductionState::Answered;
    answer.contact_id = "ag_tester";
    answer.contact_role = "tester";
    answer.interface_spec = InterfaceSpec{"tests", "files", "report", {"one", "two"}};
    CHECK(store::settle_introduction(db(), answer));
    CHECK(store::settle_introduction(db(), answer).error().code == ErrorCode::Conflict);
    answer.id = "m2";
    CHECK(store::settle_introduction(db(), answer).error().code == ErrorCode::NotFound);
    const auto stored =
        store::get_introduction(db(), "ag_me", "ag_a", IntroductionSide::Asked, "m1");
    REQUIRE(stored->has_value());
    CHECK((*stored)->contact_role == "tester");
    CHECK((*stored)->interface_spec == answer.interface_spec);
    const auto open = store::find_introduction(db(), "ag_me", IntroductionSide::Asked, "m1");
    CHECK((*open)->peer_id == "ag_b");
    CHECK_FALSE((*open)->interface_spec.has_value());
    CHECK(store::list_introductions(db(), "ag_me", IntroductionState::Open, 0, 9)->items.size() ==
          1);
    const auto page = store::list_introductions(db(), "ag_me", std::nullopt, 0, 1);
    REQUIRE(page->items.size() == 1);
    CHECK(store::list_introductions(db(), "ag_me", std::nullopt, page->next_before, 1)
              ->items[0]
              .peer_id == "ag_a");
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A contact is rewritten and removed, and its key is not given away") {
    Contact contact;
    contact.agent_id = "ag_me";
    contact.peer_id = "ag_peer";
    contact.added_at_ms = 7;
    REQUIRE(store::add_contact(db(), contact));
    REQUIRE(*store::pin_key(db(), "ag_me", "ag_peer", "k1", "key1"));
    contact.source = ContactSource::Manual;
    contact.role = "tester";
    contact.added_at_ms = 9;
    contact.interface_spec = InterfaceSpec{"tests", "", "", {}};
    CHECK(store::put_contact(db(), contact));
    const auto found = store::get_contact(db(), "ag_me", "ag_peer");
    CHECK((*found)->source == ContactSource::Manual);
    CHECK((*found)->role == "tester");
    CHECK((*found)->interface_spec == contact.interface_spec);
    CHECK((*found)->public_key == "key1");
    CHECK((*found)->added_at_ms == 7);
}

TEST_CASE_FIXTURE(StoreFixture, "Contacts are listed from after the one that was last") {
    for (const char* peer : {"ag_c", "ag_a", "ag_b"}) {
        Contact contact;
        contact.agent_id = "ag_me";
        contact.peer_id = peer;
        REQUIRE(store::add_contact(db(), contact));
    }
    const auto page = store::list_contacts(db(), "ag_me", 2);
    REQUIRE(page->size() == 2);
    const auto rest = store::list_contacts(db(), "ag_me", 2, (*page)[1].peer_id);
    REQUIRE(rest->size() == 1);
    CHECK((*rest)[0].peer_id == "ag_c");
}

TEST_CASE_FIXTURE(StoreFixture, "An agent's own tasks are found without those that it gave") {
    SQLite::Database raw(path().string(), SQLite::OPEN_READONLY);
    SQLite::Statement plan(raw,
                           "explain query plan select task_id from assignment where agent_id = 'a' "
                           "and side = 'taken' and state in ('offered', 'open') order by number");
    REQUIRE(plan.executeStep());
    CHECK(plan.getColumn(3).getString() ==
          "SEARCH assignment USING INDEX assignment_live (agent_id=? AND side=?)");
    CHECK_FALSE(plan.executeStep());
}

TEST_CASE_FIXTURE(StoreFixture, "A contact is found by the primary key, not by walking") {
    SQLite::Database raw(path().string(), SQLite::OPEN_READONLY);
    SQLite::Statement plan(raw,
                           "explain query plan select role from contact "
                           "where agent_id = 'ag_me' and peer_id = 'ag_peer'");
    REQUIRE(plan.executeStep());
    CHECK(plan.getColumn(3).getString() ==
          "SEARCH contact USING PRIMARY KEY (agent_id=? AND peer_id=?)");
}
