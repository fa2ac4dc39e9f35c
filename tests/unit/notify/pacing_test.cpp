#include "daemon/notify/pacing.h"

#include <doctest/doctest.h>

#include "core/store/notification_store.h"
#include "daemon/notify/routing.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using notify::Load;
using notify::Plan;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;  // 2025-10-09 08:53:20 UTC
constexpr UnixMs kMinute = 60'000;

}  // namespace

TEST_CASE("a few notifications at once come one by one, more as one message") {
    CHECK(notify::plan({.due = 3, .per_hour_max = 30}, kNow).kind == Plan::Kind::Single);
    CHECK(notify::plan({.due = 4, .per_hour_max = 30}, kNow).kind == Plan::Kind::Group);
}

TEST_CASE("collected notifications come as one message, a single one unchanged") {
    CHECK(notify::plan({.due = 2, .collected = 2, .per_hour_max = 30}, kNow).kind ==
          Plan::Kind::Group);
    CHECK(notify::plan({.due = 1, .collected = 1, .per_hour_max = 30}, kNow).kind ==
          Plan::Kind::Single);
}

TEST_CASE("two collected messages are at least a minute apart") {
    const Load load{.due = 9, .sent = 1, .last_group_ms = kNow - 20'000, .per_hour_max = 30};
    const Plan decided = notify::plan(load, kNow);
    CHECK(decided.kind == Plan::Kind::Wait);
    CHECK(decided.until_ms == kNow + 40'000);
    CHECK(notify::plan(load, kNow + 40'000).kind == Plan::Kind::Group);
}

TEST_CASE("urgent notifications are sent singly unless there are many") {
    CHECK(notify::plan({.due = 50, .high = 1, .last_group_ms = kNow, .per_hour_max = 30}, kNow)
              .kind == Plan::Kind::Single);
    CHECK(notify::plan({.due = 50, .high = 20, .per_hour_max = 30}, kNow).kind ==
          Plan::Kind::Group);
}

TEST_CASE("the last message of an hour summarises the rest, then none follows") {
    CHECK(notify::plan({.due = 2, .high = 2, .sent = 29, .per_hour_max = 30}, kNow).kind ==
          Plan::Kind::Group);
    const Plan full = notify::plan({.due = 1,
                                    .high = 1,
                                    .sent = 30,
                                    .oldest_sent_ms = kNow - 50 * kMinute,
                                    .per_hour_max = 30},
                                   kNow);
    CHECK(full.kind == Plan::Kind::Wait);
    CHECK(full.until_ms == kNow + 10 * kMinute);
}

TEST_CASE("a wall clock that was set back delays no notification without end") {
    const Plan full = notify::plan(
        {.due = 1, .sent = 30, .oldest_sent_ms = kNow - 90 * kMinute, .per_hour_max = 30}, kNow);
    CHECK(full.until_ms > kNow);
    CHECK(full.until_ms < kNow + kMinute);
}

TEST_CASE("urgent news waits for nothing; the rest waits for the end of quiet hours") {
    Person person;
    person.quiet = {22 * 60 + 30, 7 * 60};
    const auto late = kNow + 14 * 60 * kMinute;  // 22:53:20 UTC
    CHECK(notify::due_time(person, Priority::High, late, 0).at_ms == late);
    const auto due = notify::due_time(person, Priority::Normal, late, 0);
    CHECK(due.held);
    CHECK(due.at_ms == (late / kMinute + 8 * 60 + 7) * kMinute);  // 07:00
    CHECK(!notify::due_time(person, Priority::Normal, kNow, 0).held);
    // 08:53 UTC is 23:53 nine hours west of it … and 16:53 in Beijing.
    CHECK(notify::due_time(person, Priority::Normal, kNow, -9 * 60).held);
    CHECK(!notify::due_time(person, Priority::Normal, kNow, 8 * 60).held);
}

TEST_CASE("a digest comes at the full hour or at nine, and never in quiet hours") {
    Person person;
    person.digest = Digest::Hourly;
    CHECK(notify::due_time(person, Priority::Normal, kNow, 0).at_ms == kNow + 400'000);
    person.digest = Digest::Daily;
    CHECK(notify::due_time(person, Priority::Low, kNow, 0).at_ms == kNow + 400'000);
    CHECK(notify::due_time(person, Priority::Low, kNow + 400'000, 0).at_ms ==
          kNow + 400'000 + 24 * 60 * kMinute);
    person.digest = Digest::Hourly;
    person.quiet = {9 * 60, 10 * 60};
    CHECK(notify::due_time(person, Priority::Normal, kNow, 0).at_ms ==
          kNow + 400'000 + 60 * kMinute);
}

TEST_CASE("news goes to everybody, in steps, under one name") {
    const test::TempDir dir;
    auto db = store::Database::open(dir.path() / "a2h.db", store::Database::Mode::ReadWrite);
    REQUIRE(db.has_value());
    Person anna;
    anna.name = "anna";
    anna.normal = {{"phone", "desktop"}, {"mail"}};
    Person bert;
    bert.name = "bert";
    bert.normal = {{"chat"}};
    Notification news;
    news.agent_id = "ag_1";
    news.kind = "some.news";
    news.body_json = "{}";
    const auto told = [&](notify::Recipients recipients) {
        REQUIRE((*db)->begin().has_value());
        REQUIRE(notify::route(**db, news, {anna, bert}, recipients, kNow).has_value());
        REQUIRE((*db)->commit().has_value());
        return store::list_notifications(**db, 100).value();
    };
    auto rows = told(notify::Recipients::Everybody);
    REQUIRE(rows.size() == 4);
    CHECK(rows[3].channel == "phone");
    CHECK(rows[3].state == "queued");
    CHECK(rows[1].channel == "mail");
    CHECK(rows[1].step == 1);
    CHECK(rows[1].state == "waiting");
    CHECK(rows[1].next_attempt_ms == kNow + 30'000);
    CHECK(rows[0].person == "bert");
    CHECK(rows[0].news == rows[3].news);
    news.person = "bert";
    CHECK(told(notify::Recipients::NamedPerson).size() == 5);
    news.person = "nobody";
    CHECK(told(notify::Recipients::NamedPerson).size() == 5);
}
