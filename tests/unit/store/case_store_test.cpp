#include "core/store/case_store.h"

#include "core/store/inbox_store.h"
#include "tests/support/stage_case.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using test::StoreFixture;

namespace {

/// A first version of the case of a new message.
StageCase new_case(store::Database& db, const std::string& message_id = "m1") {
    StageCase made;
    made.job_id = store::insert_inbox(db, test::sample_message(message_id)).value().inbox_id;
    made.agent_id = "ag_me";
    made.peer_id = "ag_peer";
    made.task_uuid = "uuid";
    made.kind = CaseKind::Reply;
    made.stage = CaseStage::Review;
    made.max_attempts = 3;
    made.trace_id = "trace";
    made.deadline_ms = 9'000;
    made.decision_json = "{\"a\":1}";
    made.event_json = "event";
    made.blocks_json = "blocks";
    made.results_json = "results";
    made.reasons_json = "[\"why\"]";
    made.created_at_ms = 1'000;
    made.updated_at_ms = 1'000;
    return made;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "A case comes back as it was stored, and as it was changed") {
    StageCase made = new_case(db());
    REQUIRE(store::put_case(db(), made).has_value());
    made.version = 2;
    made.stage = CaseStage::Context;
    made.slice = 2;
    made.retry_count = 1;
    made.context_reads = 4;
    made.trace_id = "other";
    made.updated_at_ms = 2'000;
    REQUIRE(store::put_case(db(), made).has_value());
    const StageCase found = test::get_case(db(), made.job_id).value().value();
    CHECK(found.kind == CaseKind::Reply);
    CHECK(found.stage == CaseStage::Context);
    CHECK(found.slice == 2);
    CHECK(found.retry_count == 1);
    CHECK(found.max_attempts == 3);
    CHECK(found.version == 2);
    CHECK(found.context_reads == 4);
    CHECK(found.trace_id == "other");
    CHECK(found.deadline_ms == 9'000);
    CHECK(found.decision_json == made.decision_json);
    CHECK(found.event_json == "event");
    CHECK(found.blocks_json == "blocks");
    CHECK(found.results_json == "results");
    CHECK(found.reasons_json == made.reasons_json);
    CHECK(found.created_at_ms == 1'000);
    CHECK(found.updated_at_ms == 2'000);
}

TEST_CASE_FIXTURE(StoreFixture, "The second change of the same version is a conflict") {
    StageCase made = new_case(db());
    REQUIRE(store::put_case(db(), made).has_value());
    CHECK(store::put_case(db(), made).error().code == ErrorCode::Conflict);
    made.version = 2;
    made.stage = CaseStage::Closed;
    made.outcome = "passed";
    REQUIRE(store::put_case(db(), made).has_value());
    CHECK(store::put_case(db(), made).error().code == ErrorCode::Conflict);
    made.version = 3;
    CHECK(store::put_case(db(), made).error().code == ErrorCode::Conflict);
    CHECK(test::get_case(db(), made.job_id).value()->outcome == "passed");
}

TEST_CASE_FIXTURE(StoreFixture, "Open cases are those that are not closed, oldest task first") {
    StageCase first = new_case(db(), "m1");
    StageCase second = new_case(db(), "m2");
    StageCase third = new_case(db(), "m3");
    third.kind = CaseKind::Holding;
    second.stage = CaseStage::Closed;
    for (const StageCase& each : {third, second, first})
        REQUIRE(store::put_case(db(), each).has_value());
    const auto open = store::open_cases(db(), 10).value();
    REQUIRE(open.size() == 2);
    CHECK(open[0].job_id == first.job_id);
    CHECK(open[1].job_id == third.job_id);
    CHECK(store::open_cases(db(), 1).value().size() == 1);
    CHECK(store::count_open_cases(db(), "ag_me").value() == 1);
    CHECK(store::count_open_cases(db(), "ag_other").value() == 0);
    CHECK_FALSE(test::get_case(db(), 999).value().has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "Messages of a case stay in their order and need their case") {
    const StageCase made = new_case(db());
    StageMessage message{0, made.job_id, "task_event", "a2hd", "ag_writer", "{}", 5};
    CHECK_FALSE(store::insert_stage_message(db(), message).has_value());
    REQUIRE(store::put_case(db(), made).has_value());
    REQUIRE(store::insert_stage_message(db(), message).has_value());
    message.type = "retry_event";
    REQUIRE(store::insert_stage_message(db(), message).has_value());
    const auto rows = store::stage_messages(db(), made.job_id).value();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].type == "task_event");
    CHECK(rows[0].author == "a2hd");
    CHECK(rows[0].target == "ag_writer");
    CHECK(rows[0].message_json == "{}");
    CHECK(rows[0].created_at_ms == 5);
    CHECK(rows[1].type == "retry_event");
}

TEST_CASE_FIXTURE(StoreFixture,
                  "Closed cases go with their messages when they are old or too many") {
    const auto put = [&](const std::string& id, UnixMs at_ms, std::int64_t bytes,
                         CaseStage stage = CaseStage::Closed) {
        StageCase made = new_case(db(), id);
        made.stage = stage;
        made.bytes = bytes;
        made.updated_at_ms = at_ms;
        REQUIRE(store::put_case(db(), made).has_value());
        REQUIRE(store::insert_stage_message(
            db(), {0, made.job_id, "task_event", "a2hd", "a2hd", "{}", at_ms}));
        return made.job_id;
    };
    const auto is_there = [&](std::int64_t job_id) {
        return test::get_case(db(), job_id).value().has_value();
    };
    const auto old = put("m1", 1'000, 10);
    const auto open = put("m2", 1'000, 1'000, CaseStage::Review);
    const auto middle = put("m3", 2'000, 60);
    const auto newer = put("m4", 3'000, 30);
    const auto newest = put("m5", 4'000, 40);

    CHECK(store::forget_cases(db(), 1'000, 1'000, 10).value() == 0);
    CHECK(store::forget_cases(db(), 1'001, 1'000, 10).value() == 1);
    CHECK_FALSE(is_there(old));
    CHECK(store::stage_messages(db(), old)->empty());
    CHECK(is_there(open));
    CHECK(store::forget_cases(db(), 0, 129, 10).value() == 1);
    CHECK_FALSE(is_there(middle));
    CHECK(is_there(newer));
    CHECK(store::forget_cases(db(), 9'000, 0, 1).value() == 1);
    CHECK_FALSE(is_there(newer));
    CHECK(is_there(newest));
    CHECK(store::stage_messages(db(), newest)->size() == 1);
    CHECK(test::get_case(db(), newest).value()->bytes == 40);
}
