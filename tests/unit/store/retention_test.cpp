#include "core/store/retention.h"

#include <doctest/doctest.h>

#include "core/store/after_restore.h"
#include "core/store/approval_store.h"
#include "core/store/bargain_store.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/mandate_store.h"
#include "core/store/outbox_store.h"
#include "tests/support/permit.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using namespace a2h::test;
using store::Forgettable;

namespace {

constexpr UnixMs kOld = 1'000;
constexpr UnixMs kBorder = 5'000;

std::int64_t add_message(store::Database& db, const std::string& id, const std::string& peer,
                         UnixMs at_ms, JobState state) {
    const auto inserted = store::insert_inbox(db, sample_message(id, peer, at_ms));
    REQUIRE(inserted);
    if (state == JobState::Pending) return inserted->inbox_id;
    auto job = store::get_job_of_inbox(db, inserted->inbox_id);
    (*job)->state = state;
    REQUIRE(store::update_job(db, **job));
    return inserted->inbox_id;
}

bool has_words(store::Database& db, std::int64_t inbox_id) {
    return !store::get_inbox(db, inbox_id).value()->envelope_json.empty();
}

std::int64_t forget_all(store::Database& db, Forgettable kind) {
    std::int64_t after_id = 0;
    std::int64_t forgotten = 0;
    for (int i = 0; i < 1'000; ++i) {
        const auto step = store::forget_some(db, kind, after_id, kBorder, 2);
        REQUIRE(step);
        forgotten += step->forgotten;
        if (step->is_last) return forgotten;
        CHECK(step->last_id > after_id);
        after_id = step->last_id;
    }
    FAIL("no end");
    return 0;
}

Mandate haggling_mandate() {
    Mandate mandate;
    mandate.id = "mnd_1";
    mandate.agent_id = "ag_me";
    mandate.action = "bargain";
    mandate.terms_json = "{}";
    mandate.given_by = "human";
    mandate.surface = "terminal";
    return mandate;
}

}  // namespace

TEST_CASE("texts of old settled messages are deleted, open and new ones stay") {
    StoreFixture fixture;
    store::Database& db = fixture.db();
    const auto done = add_message(db, "done", "ag_a", kOld, JobState::Done);
    const auto failed = add_message(db, "failed", "ag_a", kOld, JobState::Failed);
    const auto pending = add_message(db, "pending", "ag_a", kOld, JobState::Pending);
    const auto asked = add_message(db, "asked", "ag_a", kOld, JobState::WaitingForHuman);
    const auto staged = add_message(db, "staged", "ag_a", kOld, JobState::InStages);
    const auto haggled = add_message(db, "haggled", "ag_b", kOld, JobState::Done);
    const auto newer = add_message(db, "new", "ag_a", kBorder, JobState::Done);
    REQUIRE(store::insert_mandate(db, haggling_mandate()));
    Bargain bargain;
    bargain.agent_id = "ag_me";
    bargain.peer_id = "ag_b";
    bargain.works_id = "w";
    bargain.mandate_id = "mnd_1";
    bargain.state = "open";
    REQUIRE(store::insert_bargain(db, bargain));

    CHECK(forget_all(db, Forgettable::Incoming) == 2);
    CHECK(!has_words(db, done));
    CHECK(!has_words(db, failed));
    for (const std::int64_t kept : {pending, asked, staged, haggled, newer})
        CHECK(has_words(db, kept));
    CHECK(forget_all(db, Forgettable::Incoming) == 0);
}

TEST_CASE("a message whose text was deleted is still recognised as a repeat") {
    StoreFixture fixture;
    store::Database& db = fixture.db();
    add_message(db, "m", "ag_a", kOld, JobState::Done);
    REQUIRE(forget_all(db, Forgettable::Incoming) == 1);
    const auto again = store::insert_inbox(db, sample_message("m", "ag_a", kBorder));
    REQUIRE(again);
    CHECK(again->outcome == store::InsertOutcome::Duplicate);
}

TEST_CASE("unsent messages keep their text, and an effect does not happen again") {
    StoreFixture fixture;
    store::Database& db = fixture.db();
    auto reply = sample_reply("sent");
    reply.effect_key = "task:1";
    const auto sent = test::insert_outbox(db, reply);
    const auto queued = test::insert_outbox(db, sample_reply("queued"));
    auto dead = sample_reply("dead");
    dead.state = OutboxState::Dead;
    REQUIRE(test::insert_outbox(db, dead));
    REQUIRE(store::mark_outbox_sent(db, sent->id, kOld));

    CHECK(forget_all(db, Forgettable::Outgoing) == 1);
    CHECK(store::get_outbox_by_effect(db, "task:1").value()->payload_json ==
          R"({"forgotten":true})");
    CHECK(test::insert_outbox(db, reply)->id == sent->id);
    const auto next = store::next_outbox_of_peer(db, "ag_me", "ag_peer");
    CHECK(next.value()->id == queued->id);
    CHECK(next.value()->payload_json == sample_reply("queued").payload_json);
}

TEST_CASE("old events are deleted except the newest, so that no number is reused") {
    StoreFixture fixture;
    store::Database& db = fixture.db();
    std::int64_t newest = 0;
    for (int i = 0; i < 5; ++i)
        newest = *store::insert_event(db, {0, "ag_me", "some.news", "x", "{}", kOld});
    CHECK(forget_all(db, Forgettable::Events) == 4);
    CHECK(store::event_range(db)->oldest == newest);
}

TEST_CASE("a restored database does nothing by itself, and its audit says so") {
    StoreFixture fixture;
    store::Database& db = fixture.db();
    add_message(db, "undecided", "ag_a", kOld, JobState::Pending);
    const auto queued = test::insert_outbox(db, sample_reply("queued"));
    REQUIRE(store::insert_approval(db, sample_approval("apr_open", "d1")));
    auto used = sample_approval("apr_used", "d2");
    used.status = ApprovalStatus::Approved;
    used.outcome = ApprovalOutcome::Executing;
    REQUIRE(store::insert_approval(db, used));
    auto unused = sample_approval("apr_unused", "d3");
    unused.status = ApprovalStatus::Approved;
    REQUIRE(store::insert_approval(db, unused));
    REQUIRE(store::insert_mandate(db, haggling_mandate()));

    const auto done = store::set_aside_open_things(db, 7'000);
    REQUIRE_MESSAGE(done.has_value(), (done ? "" : done.error().message));
    CHECK(done->held == 1);
    CHECK(done->approvals == 2);
    CHECK(done->unsettled == 1);
    CHECK(done->mandates == 1);
    CHECK(done->jobs == 1);
    CHECK(store::due_outbox(db, 8'000, 10)->empty());
    CHECK(store::expire_outbox(db, 9'000'000)->empty());
    CHECK(store::pending_jobs(db, 0, 10)->empty());
    CHECK(store::unused_approvals(db)->empty());
    CHECK(store::executing_approvals(db)->empty());
    CHECK(store::get_approval(db, "apr_open").value()->status == ApprovalStatus::Expired);
    CHECK(store::get_approval(db, "apr_used").value()->outcome == ApprovalOutcome::Unknown);
    CHECK(store::live_mandates(db, "ag_me", "bargain")->empty());
    const auto audit = store::audit_rows(db, {});
    CHECK(audit->back().what == "restored");
    CHECK(store::outbox_counts(db, "ag_me")->held == 1);
    CHECK(store::outbox_counts(db, "ag_me")->sent == 0);

    CHECK(*store::requeue_held_outbox(db, "ag_me", 8'000, 1'000) == 1);
    CHECK(store::due_outbox(db, 8'000, 10)->front().id == queued->id);
    REQUIRE(store::hold_rule_outbox(db, "ag_me", 8'500));
    CHECK(*store::drop_held_outbox(db, "ag_me", 9'000) == 1);
}
