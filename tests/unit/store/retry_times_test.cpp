#include "core/store/retry_times.h"

#include "core/store/notification_store.h"
#include "core/store/outbox_store.h"
#include "tests/support/permit.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_reply;
using a2h::test::StoreFixture;

namespace {

constexpr UnixMs kHourMs = 3'600'000;
/// When the rows were written, by a clock that is set back five hours afterwards.
constexpr UnixMs kWritten = 100 * kHourMs;
constexpr UnixMs kNow = kWritten - 5 * kHourMs;

std::int64_t insert_news(store::Database& db, const std::string& state, UnixMs next_attempt_ms,
                         bool held = false) {
    Notification row;
    row.agent_id = "ag_me";
    row.channel = "phone";
    row.kind = "outbox.dead";
    row.body_json = "{}";
    row.state = state;
    row.held = held;
    row.next_attempt_ms = next_attempt_ms;
    row.created_at_ms = kWritten;
    row.updated_at_ms = kWritten;
    const auto id = store::insert_notification(db, row);
    REQUIRE(id.has_value());
    return *id;
}

UnixMs due_at(store::Database& db, std::int64_t id) {
    return (*store::get_notification(db, id))->next_attempt_ms;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture,
                  "After the clock was set back a message waits as long as it was to") {
    const auto place = test::insert_outbox(db(), sample_reply("m1", "ag_peer", kWritten));
    REQUIRE(store::mark_outbox_retry(db(), place->id, 3, kWritten + 16'000, "away", kWritten));
    CHECK(store::due_outbox(db(), kNow + 60'000, 10)->empty());
    REQUIRE(store::resume_retries(db(), kNow));
    CHECK(*store::next_outbox_wakeup(db(), kNow) == kNow + 16'000);
    // Once: another look later changes nothing.
    REQUIRE(store::resume_retries(db(), kNow + 10'000));
    CHECK(store::due_outbox(db(), kNow + 15'999, 10)->empty());
    CHECK(store::due_outbox(db(), kNow + 16'000, 10)->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "After the clock was set back what was due is due") {
    REQUIRE(test::insert_outbox(db(), sample_reply("m1", "ag_peer", kWritten)));
    CHECK(store::due_outbox(db(), kNow, 10)->empty());
    REQUIRE(store::resume_retries(db(), kNow));
    CHECK(store::due_outbox(db(), kNow, 10)->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "Notifications and their later steps go on, those of an hour stay") {
    const auto tried = insert_news(db(), "queued", kWritten + 4'000);
    const auto step = insert_news(db(), "waiting", kWritten + 30'000);
    const auto morning = insert_news(db(), "queued", kWritten + 8 * kHourMs, true);
    const auto over = insert_news(db(), "delivered", kWritten + 1'000);
    REQUIRE(store::resume_retries(db(), kNow));
    CHECK(due_at(db(), tried) == kNow + 4'000);
    CHECK(due_at(db(), step) == kNow + 30'000);
    CHECK(due_at(db(), morning) == kWritten + 8 * kHourMs);
    CHECK(due_at(db(), over) == kWritten + 1'000);
}

TEST_CASE_FIXTURE(StoreFixture, "While the clock is right nothing waits longer or shorter") {
    const auto place = test::insert_outbox(db(), sample_reply("m1", "ag_peer", kWritten));
    REQUIRE(store::mark_outbox_retry(db(), place->id, 1, kWritten + 4'000, "away", kWritten));
    const auto news = insert_news(db(), "queued", kWritten + 8'000);
    REQUIRE(store::resume_retries(db(), kWritten + 1'000));
    CHECK(*store::next_outbox_wakeup(db(), kWritten) == kWritten + 4'000);
    CHECK(due_at(db(), news) == kWritten + 8'000);
}
