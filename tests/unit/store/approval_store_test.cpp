#include "core/store/approval_store.h"

#include <sodium.h>

#include "core/store/inbox_store.h"
#include "core/store/notification_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_approval;
using a2h::test::sample_message;
using a2h::test::StoreFixture;

namespace {

void insert(store::Database& db, const Approval& approval) {
    const auto inserted = store::insert_approval(db, approval);
    REQUIRE_MESSAGE(inserted.has_value(), (inserted ? "" : inserted.error().message));
}

Approval answered(std::string id, ApprovalStatus status) {
    Approval approval = sample_approval(id);
    approval.status = status;
    approval.answer_text = "好";
    approval.answered_by = "human";
    approval.surface = AnswerSurface::Page;
    approval.answered_at_ms = 2'000;
    return approval;
}

void insert_approved(store::Database& db, const std::string& id) {
    insert(db, sample_approval(id));
    REQUIRE(store::answer_approval(db, answered(id, ApprovalStatus::Approved)).has_value());
}

Approval get(store::Database& db, const std::string& id) {
    const auto found = store::get_approval(db, id);
    REQUIRE(found.has_value());
    REQUIRE(found->has_value());
    return **found;
}

std::string sha256_hex(const std::string& text) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    char hex[2 * sizeof digest + 1];
    return sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "An approval is read back with every field") {
    const auto message = store::insert_inbox(db(), sample_message("msg_1"));
    Approval approval = sample_approval("apr_1");
    approval.job_id = message->inbox_id;
    approval.context = "them: 450?";
    approval.reject_text = "sorry";
    approval.provenance = "verified";
    insert(db(), approval);
    const Approval stored = get(db(), "apr_1");
    CHECK(stored.agent_id == "ag_me");
    CHECK(stored.peer_id == "ag_peer");
    CHECK(stored.job_id == message->inbox_id);
    CHECK(stored.action == "reply.send");
    CHECK(stored.action_json == approval.action_json);
    CHECK(stored.digest == "d1");
    CHECK(stored.question == "450?");
    CHECK(stored.context == "them: 450?");
    CHECK(stored.options == approval.options);
    CHECK(stored.reply_text == "450 is fine");
    CHECK(stored.reject_text == "sorry");
    CHECK(stored.amount_minor == 45'000);
    CHECK(stored.currency == "CNY");
    CHECK(stored.provenance == "verified");
    CHECK(stored.requested_by == "rule:price");
    CHECK(stored.status == ApprovalStatus::Pending);
    CHECK(stored.outcome == ApprovalOutcome::None);
    CHECK_FALSE(stored.surface.has_value());
    CHECK(stored.created_at_ms == 1'000);
    CHECK(stored.answer_by_ms == 5'000);
    CHECK(stored.act_by_ms == 9'000);
    CHECK(stored.answered_at_ms == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "An approval without amount or task stays without them") {
    Approval approval = sample_approval("apr_1");
    approval.amount_minor.reset();
    approval.options.clear();
    insert(db(), approval);
    CHECK_FALSE(get(db(), "apr_1").amount_minor.has_value());
    CHECK(get(db(), "apr_1").job_id == 0);
    CHECK(get(db(), "apr_1").options.empty());
}

TEST_CASE_FIXTURE(StoreFixture, "A repeated approval id and an unknown task are conflicts") {
    insert(db(), sample_approval("apr_1"));
    CHECK(store::insert_approval(db(), sample_approval("apr_1")).error().code ==
          ErrorCode::Conflict);
    Approval of_nothing = sample_approval("apr_2");
    of_nothing.job_id = 4711;
    CHECK(store::insert_approval(db(), of_nothing).error().code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "The first answer wins, and the second learns who gave it, how and when") {
    insert(db(), sample_approval("apr_1"));
    CHECK(store::answer_approval(db(), answered("apr_1", ApprovalStatus::Rejected)).has_value());
    const auto second = store::answer_approval(db(), answered("apr_1", ApprovalStatus::Approved));
    CHECK(second.error().code == ErrorCode::Conflict);
    for (const char* word : {"rejected", "1970-01-01T00:00:02Z", "human", "page"})
        CHECK(second.error().message.find(word) != std::string::npos);
    const Approval stored = get(db(), "apr_1");
    CHECK(stored.status == ApprovalStatus::Rejected);
    CHECK(stored.answer_text == "好");
    CHECK(stored.answered_by == "human");
    CHECK(stored.surface == AnswerSurface::Page);
    CHECK(stored.answered_at_ms == 2'000);
    CHECK(store::answer_approval(db(), answered("apr_9", ApprovalStatus::Approved)).error().code ==
          ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "A yes is used once, and only a yes") {
    insert(db(), sample_approval("apr_1"));
    CHECK(store::consume_approval(db(), "apr_1", 3'000).error().code == ErrorCode::Conflict);
    REQUIRE(store::answer_approval(db(), answered("apr_1", ApprovalStatus::Approved)).has_value());
    CHECK(store::consume_approval(db(), "apr_1", 3'000).has_value());
    CHECK(store::consume_approval(db(), "apr_1", 3'001).error().code == ErrorCode::Conflict);
    CHECK(store::consume_approval(db(), "apr_9", 3'000).error().code == ErrorCode::NotFound);
    CHECK(get(db(), "apr_1").outcome == ApprovalOutcome::Executing);
    REQUIRE(store::executing_approvals(db())->size() == 1);

    CHECK(store::finish_approval(db(), "apr_1", ApprovalOutcome::Executed, "sent", 3'100)
              .has_value());
    CHECK(get(db(), "apr_1").outcome == ApprovalOutcome::Executed);
    CHECK(get(db(), "apr_1").outcome_detail == "sent");
    CHECK(store::executing_approvals(db())->empty());
    CHECK(store::consume_approval(db(), "apr_1", 3'200).error().code == ErrorCode::Conflict);
    CHECK(store::finish_approval(db(), "apr_1", ApprovalOutcome::Failed, "", 3'200).error().code ==
          ErrorCode::Conflict);
    CHECK(store::finish_approval(db(), "apr_9", ApprovalOutcome::Failed, "", 1).error().code ==
          ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "R18: an unknown outcome can be settled later") {
    insert_approved(db(), "apr_1");
    REQUIRE(store::consume_approval(db(), "apr_1", 3'000).has_value());
    REQUIRE(store::finish_approval(db(), "apr_1", ApprovalOutcome::Unknown, "no answer", 3'100)
                .has_value());
    CHECK(store::finish_approval(db(), "apr_1", ApprovalOutcome::Executed, "read back", 3'200)
              .has_value());
    CHECK(get(db(), "apr_1").outcome == ApprovalOutcome::Executed);
}

TEST_CASE_FIXTURE(StoreFixture, "The same action finds its live approval, and its latest one") {
    insert(db(), sample_approval("apr_1", "same"));
    REQUIRE(store::answer_approval(db(), answered("apr_1", ApprovalStatus::Rejected)).has_value());
    CHECK_FALSE(store::get_live_approval_by_digest(db(), "ag_me", "same")->has_value());
    CHECK((*store::get_latest_approval_by_digest(db(), "ag_me", "same"))->id == "apr_1");

    insert(db(), sample_approval("apr_2", "same"));
    CHECK((*store::get_live_approval_by_digest(db(), "ag_me", "same"))->id == "apr_2");
    REQUIRE(store::answer_approval(db(), answered("apr_2", ApprovalStatus::Approved)).has_value());
    CHECK((*store::get_live_approval_by_digest(db(), "ag_me", "same"))->id == "apr_2");
    REQUIRE(store::consume_approval(db(), "apr_2", 3'000).has_value());
    CHECK((*store::get_live_approval_by_digest(db(), "ag_me", "same"))->id == "apr_2");
    REQUIRE(
        store::finish_approval(db(), "apr_2", ApprovalOutcome::Executed, "", 3'100).has_value());
    CHECK_FALSE(store::get_live_approval_by_digest(db(), "ag_me", "same")->has_value());
    CHECK((*store::get_latest_approval_by_digest(db(), "ag_me", "same"))->id == "apr_2");
    CHECK_FALSE(store::get_latest_approval_by_digest(db(), "ag_other", "same")->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "An edit replaces the action of a pending approval only") {
    insert(db(), sample_approval("apr_1"));
    Approval edited = sample_approval("apr_1", "d2");
    edited.action_json = R"({"action":"reply.send","text":"460"})";
    edited.reply_text = "460";
    edited.amount_minor = 46'000;
    CHECK(store::replace_approval_action(db(), edited).has_value());
    CHECK(get(db(), "apr_1").digest == "d2");
    CHECK(get(db(), "apr_1").action_json == edited.action_json);
    CHECK(get(db(), "apr_1").reply_text == "460");
    CHECK(get(db(), "apr_1").amount_minor == 46'000);
    REQUIRE(store::answer_approval(db(), answered("apr_1", ApprovalStatus::Approved)).has_value());
    CHECK(store::replace_approval_action(db(), edited).error().code == ErrorCode::Conflict);
    edited.id = "apr_9";
    CHECK(store::replace_approval_action(db(), edited).error().code == ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "Wrong codes are counted") {
    insert(db(), sample_approval("apr_1"));
    CHECK(*store::count_code_failure(db(), "apr_1") == 1);
    CHECK(*store::count_code_failure(db(), "apr_1") == 2);
    CHECK(get(db(), "apr_1").code_failures == 2);
    CHECK(store::count_code_failure(db(), "apr_9").error().code == ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "Approvals are listed newest first by agent and status") {
    for (const char* id : {"apr_c", "apr_a", "apr_b"})
        insert(db(), sample_approval(id));
    Approval other = sample_approval("apr_x");
    other.agent_id = "ag_other";
    insert(db(), other);
    REQUIRE(store::answer_approval(db(), answered("apr_a", ApprovalStatus::Approved)).has_value());
    const auto all = store::list_approvals(db(), "ag_me", std::nullopt, 10);
    REQUIRE(all->size() == 3);
    CHECK(all->at(0).id == "apr_b");
    CHECK(all->at(2).id == "apr_c");
    CHECK(store::list_approvals(db(), "ag_me", std::nullopt, 2)->size() == 2);
    CHECK(store::list_approvals(db(), "ag_me", ApprovalStatus::Pending, 10)->size() == 2);
    CHECK(store::unused_approvals(db())->size() == 1);
    CHECK(*store::count_pending_approvals(db(), "ag_me") == 2);
}

TEST_CASE_FIXTURE(StoreFixture, "A peer waits while a question about it is pending") {
    CHECK_FALSE(*store::has_pending_approval(db(), "ag_me", "ag_peer"));
    insert(db(), sample_approval("apr_a"));
    CHECK(*store::has_pending_approval(db(), "ag_me", "ag_peer"));
    CHECK_FALSE(*store::has_pending_approval(db(), "ag_me", "ag_else"));
    CHECK_FALSE(*store::has_pending_approval(db(), "ag_other", "ag_peer"));
    REQUIRE(store::answer_approval(db(), answered("apr_a", ApprovalStatus::Approved)).has_value());
    CHECK_FALSE(*store::has_pending_approval(db(), "ag_me", "ag_peer"));
}

TEST_CASE_FIXTURE(StoreFixture, "Both clocks of an approval are watched") {
    insert(db(), sample_approval("apr_1"));
    insert_approved(db(), "apr_2");
    CHECK(store::overdue_approvals(db(), 4'999)->empty());
    REQUIRE(store::overdue_approvals(db(), 5'000)->size() == 1);
    CHECK(store::overdue_approvals(db(), 5'000)->front().id == "apr_1");
    CHECK(store::overdue_approvals(db(), 9'000)->size() == 2);
    REQUIRE(store::answer_approval(db(), answered("apr_1", ApprovalStatus::Expired)).has_value());
    CHECK(store::overdue_approvals(db(), 9'000)->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "Audit rows are linked by hashes over everything they say") {
    insert(db(), sample_approval("apr_1"));
    insert(db(), sample_approval("apr_2"));
    REQUIRE(store::append_audit(db(), "apr_1", "asked", "{}", 1'000).has_value());
    REQUIRE(store::append_audit(db(), "apr_2", "asked", R"({"n":1})", 1'001).has_value());
    REQUIRE(store::append_audit(db(), "", "pin.locked", "{}", 1'002).has_value());
    REQUIRE(store::append_audit(db(), "apr_1", "answered", "{}", 1'003).has_value());
    const auto rows = store::audit_rows(db(), "");
    REQUIRE(rows->size() == 4);
    std::string previous;
    for (const AuditRow& row : *rows) {
        CHECK(row.previous_hash == previous);
        CHECK(row.hash ==
              sha256_hex(previous + "\n" + row.approval_id + "\n" + row.what + "\n" +
                         row.detail_json + "\n" + std::to_string(row.created_at_ms) + "\n"));
        previous = row.hash;
    }
    const auto of_one = store::audit_rows(db(), "apr_1");
    REQUIRE(of_one->size() == 2);
    CHECK(of_one->at(1).what == "answered");
    CHECK(store::append_audit(db(), "apr_9", "asked", "{}", 1).error().code == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(StoreFixture, "Notifications wait for their time and keep their outcome") {
    insert(db(), sample_approval("apr_1"));
    Notification asked;
    asked.agent_id = "ag_me";
    asked.approval_id = "apr_1";
    asked.channel = "webhook";
    asked.kind = "approval.asked";
    asked.body_json = "{}";
    asked.state = "queued";
    asked.next_attempt_ms = 500;
    asked.id = *store::insert_notification(db(), asked);
    Notification news = asked;
    news.approval_id.clear();
    news.next_attempt_ms = 100;
    news.id = *store::insert_notification(db(), news);

    CHECK(store::due_notifications(db(), 99)->empty());
    const auto due = store::due_notifications(db(), 500);
    REQUIRE(due->size() == 1);
    CHECK(due->front().channel == "webhook");
    CHECK(due->front().count == 2);
    CHECK(due->front().last_id == news.id);
    const auto rows = store::due_notifications_at(db(), due->front(), 500, 10);
    REQUIRE(rows->size() == 2);
    CHECK(rows->front().id == news.id);
    CHECK(rows->front().approval_id.empty());
    CHECK(store::due_notifications_at(db(), due->front(), 500, 1)->size() == 1);

    asked.state = "delivered";
    asked.outcome = "webhook answered 200";
    asked.attempts = 1;
    asked.updated_at_ms = 600;
    CHECK(store::update_notification(db(), asked).has_value());
    CHECK(store::due_notifications(db(), 500)->front().count == 1);
    const auto of_approval = store::notifications_of_approval(db(), "apr_1");
    REQUIRE(of_approval->size() == 1);
    CHECK(of_approval->front().outcome == "webhook answered 200");
    CHECK(of_approval->front().attempts == 1);
    CHECK(of_approval->front().channel == "webhook");
    CHECK(of_approval->front().kind == "approval.asked");
    asked.id = 99;
    CHECK(store::update_notification(db(), asked).error().code == ErrorCode::NotFound);
}
