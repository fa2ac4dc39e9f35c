#include "core/store/queues.h"

#include "core/store/approval_store.h"
#include "core/store/case_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "tests/support/permit.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using test::StoreFixture;

namespace {

store::Queues queues(store::Database& db) {
    const auto read = store::read_queues(db);
    REQUIRE(read.has_value());
    return *read;
}

/// Their job is open; returns its id.
std::int64_t arrive(store::Database& db, const std::string& message_id, UnixMs at_ms) {
    return store::insert_inbox(db, test::sample_message(message_id, "ag_peer", at_ms))
        .value()
        .inbox_id;
}

void decide(store::Database& db, std::int64_t job_id, JobState state) {
    Job job = store::get_job(db, job_id).value().value();
    job.state = state;
    REQUIRE(store::update_job(db, job).has_value());
}

std::int64_t queue(store::Database& db, const std::string& message_id, UnixMs at_ms,
                   const std::string& agent_id = "ag_me") {
    OutboxMessage message = test::sample_reply(message_id, "ag_peer", at_ms);
    message.agent_id = agent_id;
    return test::insert_outbox(db, message).value().id;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "The oldest age is zero if nothing waits") {
    const store::Queues empty = queues(db());
    CHECK(empty.inbox.length == 0);
    CHECK(empty.inbox.oldest_ms == 0);
    CHECK(empty.outbox.oldest_ms == 0);
    CHECK(empty.approvals.oldest_ms == 0);
    CHECK(empty.dead_letters == 0);
    CHECK(empty.held == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "The inbox's oldest one is undecided, or with a stage") {
    const auto first = arrive(db(), "m1", 1'000);
    const auto second = arrive(db(), "m2", 2'000);
    arrive(db(), "m3", 3'000);
    CHECK(queues(db()).inbox.length == 3);
    CHECK(queues(db()).inbox.oldest_ms == 1'000);
    decide(db(), first, JobState::Done);
    CHECK(queues(db()).inbox.oldest_ms == 2'000);

    StageCase with_stage;
    with_stage.job_id = second;
    with_stage.agent_id = "ag_me";
    with_stage.peer_id = "ag_peer";
    with_stage.kind = CaseKind::Reply;
    with_stage.stage = CaseStage::Review;
    REQUIRE(store::put_case(db(), with_stage).has_value());
    decide(db(), second, JobState::InStages);
    CHECK(queues(db()).inbox.length == 2);
    CHECK(queues(db()).inbox.oldest_ms == 2'000);
}

TEST_CASE_FIXTURE(StoreFixture, "Words that wait beside a question are not in the inbox") {
    const auto job = arrive(db(), "m1", 1'000);
    decide(db(), job, JobState::WaitingForHuman);
    StageCase holding;
    holding.job_id = job;
    holding.agent_id = "ag_me";
    holding.peer_id = "ag_peer";
    holding.kind = CaseKind::Holding;
    holding.stage = CaseStage::Review;
    REQUIRE(store::put_case(db(), holding).has_value());
    CHECK(queues(db()).inbox.length == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "The outbox and its dead and held are those of all agents") {
    const auto sent = queue(db(), "m1", 1'000);
    queue(db(), "m2", 2'000);
    const auto dead = queue(db(), "m3", 3'000, "ag_another");
    queue(db(), "m4", 4'000, "ag_third");
    REQUIRE(store::mark_outbox_sent(db(), sent, 5'000).has_value());
    REQUIRE(store::bury_outbox(db(), dead, "no", 5'000).value());
    REQUIRE(store::bury_outbox(db(), queue(db(), "m5", 5'000), "no", 5'000).value());
    OutboxMessage by_rule = test::sample_reply("m6", "ag_peer", 6'000);
    by_rule.agent_id = "ag_third";
    by_rule.cause = "rule:x";
    REQUIRE(test::insert_outbox(db(), by_rule).has_value());
    REQUIRE(store::hold_rule_outbox(db(), "ag_third", 7'000).has_value());
    const store::Queues now = queues(db());
    CHECK(now.outbox.length == 1);
    CHECK(now.outbox.oldest_ms == 2'000);
    CHECK(now.dead_letters == 2);
    CHECK(now.held == 2);
}

TEST_CASE_FIXTURE(StoreFixture, "Only questions without an answer wait for a human") {
    Approval first = test::sample_approval("apr_1");
    Approval second = test::sample_approval("apr_2", "d2");
    second.created_at_ms = 2'000;
    REQUIRE(store::insert_approval(db(), first).has_value());
    REQUIRE(store::insert_approval(db(), second).has_value());
    CHECK(queues(db()).approvals.length == 2);
    CHECK(queues(db()).approvals.oldest_ms == 1'000);
    first.status = ApprovalStatus::Rejected;
    first.surface = AnswerSurface::Page;
    first.answered_at_ms = 3'000;
    REQUIRE(store::answer_approval(db(), first).has_value());
    CHECK(queues(db()).approvals.length == 1);
    CHECK(queues(db()).approvals.oldest_ms == 2'000);
}
