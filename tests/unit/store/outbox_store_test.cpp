#include "core/store/outbox_store.h"

#include "tests/support/permit.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_reply;
using a2h::test::StoreFixture;

namespace {

std::string ids(const std::vector<OutboxMessage>& messages) {
    std::string text;
    for (const OutboxMessage& message : messages)
        text += message.message_id + " ";
    return text;
}

std::int64_t insert(store::Database& db, const OutboxMessage& message) {
    const auto place = test::insert_outbox(db, message);
    REQUIRE(place.has_value());
    return place->id;
}

OutboxMessage get(store::Database& db, std::int64_t id) {
    const auto all = store::list_outbox(db, "ag_me", std::nullopt, 100);
    REQUIRE(all.has_value());
    for (const OutboxMessage& message : *all) {
        if (message.id == id) return message;
    }
    FAIL("no row");
    return {};
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "An outgoing message is read back with every field") {
    OutboxMessage message = sample_reply("m1");
    message.effect_key = "approval:apr_1";
    message.attempts = 3;
    message.last_error = "broker away";
    const std::int64_t id = insert(db(), message);
    const auto found = store::get_outbox_by_effect(db(), "approval:apr_1");
    REQUIRE(found->has_value());
    CHECK((*found)->id == id);
    CHECK((*found)->agent_id == "ag_me");
    CHECK((*found)->target_id == "ag_peer");
    CHECK((*found)->message_id == "m1");
    CHECK((*found)->message_type == "chat.request");
    CHECK((*found)->trace_id == "trace_1");
    CHECK((*found)->payload_json == message.payload_json);
    CHECK((*found)->cause == "rule:test");
    CHECK((*found)->state == OutboxState::Queued);
    CHECK((*found)->attempts == 3);
    CHECK((*found)->next_attempt_ms == 1'000);
    CHECK((*found)->expires_at_ms == 1'001'000);
    CHECK((*found)->last_error == "broker away");
    CHECK((*found)->created_at_ms == 1'000);
    CHECK_FALSE(store::get_outbox_by_effect(db(), "approval:apr_2")->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "One effect has one row, messages without effect key have many") {
    OutboxMessage message = sample_reply("m1");
    message.effect_key = "task:1";
    const std::int64_t id = insert(db(), message);
    message.message_id = "m2";
    CHECK(insert(db(), message) == id);
    message.effect_key.clear();
    CHECK(insert(db(), message) != insert(db(), message));
    CHECK(store::outbox_counts(db(), "ag_me")->queued == 3);
}

TEST_CASE_FIXTURE(StoreFixture, "Only the oldest queued message of each peer is due") {
    insert(db(), sample_reply("a1", "ag_a", 100));
    insert(db(), sample_reply("a2", "ag_a", 50));
    insert(db(), sample_reply("b1", "ag_b", 900));
    insert(db(), sample_reply("b2", "ag_b", 10));
    insert(db(), sample_reply("c1", "ag_c", 30));
    OutboxMessage other = sample_reply("x1", "ag_a", 20);
    other.agent_id = "ag_other";
    insert(db(), other);
    CHECK(ids(*store::due_outbox(db(), 500, 10)) == "a1 c1 x1 ");
    CHECK(ids(*store::due_outbox(db(), 900, 10)) == "a1 b1 c1 x1 ");
    CHECK(ids(*store::due_outbox(db(), 500, 2)) == "a1 c1 ");
    CHECK(store::due_outbox(db(), 5, 10)->empty());
}

TEST_CASE_FIXTURE(StoreFixture, "The wake-up is that of the peers' oldest, not of those behind") {
    CHECK_FALSE(store::next_outbox_wakeup(db(), 0)->has_value());
    insert(db(), sample_reply("a1", "ag_a", 700));
    insert(db(), sample_reply("a2", "ag_a", 1));
    insert(db(), sample_reply("b1", "ag_b", 900));
    CHECK(**store::next_outbox_wakeup(db(), 0) == 700);
    CHECK(**store::next_outbox_wakeup(db(), 700) == 900);
    CHECK_FALSE(store::next_outbox_wakeup(db(), 900)->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "A message is next when nothing older waits for its peer") {
    OutboxMessage first = sample_reply("a1", "ag_a");
    first.effect_key = "task:1";
    const auto place = test::insert_outbox(db(), first);
    CHECK(place->is_next);
    CHECK(test::insert_outbox(db(), sample_reply("b1", "ag_b"))->is_next);
    CHECK_FALSE(test::insert_outbox(db(), sample_reply("a2", "ag_a"))->is_next);
    const auto again = test::insert_outbox(db(), first);
    CHECK(again->id == place->id);
    CHECK_FALSE(again->is_next);
}

TEST_CASE_FIXTURE(StoreFixture, "The next message of a peer follows by id") {
    const std::int64_t first = insert(db(), sample_reply("a1", "ag_a"));
    insert(db(), sample_reply("b1", "ag_b"));
    const std::int64_t second = insert(db(), sample_reply("a2", "ag_a"));
    CHECK((*store::next_outbox_of_peer(db(), "ag_me", "ag_a"))->id == first);
    REQUIRE(store::mark_outbox_sent(db(), first, 1).has_value());
    CHECK((*store::next_outbox_of_peer(db(), "ag_me", "ag_a"))->id == second);
    REQUIRE(store::mark_outbox_sent(db(), second, 1).has_value());
    CHECK_FALSE(store::next_outbox_of_peer(db(), "ag_me", "ag_a")->has_value());
    CHECK_FALSE(store::next_outbox_of_peer(db(), "ag_other", "ag_a")->has_value());
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A message that was sent is no longer due, and an unknown id is no error") {
    const std::int64_t id = insert(db(), sample_reply("m1"));
    CHECK(store::mark_outbox_sent(db(), id, 2'000).has_value());
    CHECK(get(db(), id).state == OutboxState::Sent);
    CHECK(store::due_outbox(db(), 10'000, 10)->empty());
    CHECK(store::mark_outbox_sent(db(), 999, 4'000).has_value());
}

TEST_CASE_FIXTURE(
    StoreFixture,
    "A message that the broker has accepted is sent, even if it was dropped in the meantime") {
    const std::int64_t id = insert(db(), sample_reply("m1"));
    CHECK(store::drop_outbox(db(), id, 1'500).has_value());
    CHECK(store::mark_outbox_sent(db(), id, 2'000).has_value());
    CHECK(get(db(), id).state == OutboxState::Sent);
}

TEST_CASE_FIXTURE(StoreFixture, "A retry moves only queued rows") {
    const std::int64_t id = insert(db(), sample_reply("m1"));
    CHECK(store::mark_outbox_retry(db(), id, 2, 8'000, "no answer", 1'500).has_value());
    CHECK(get(db(), id).attempts == 2);
    CHECK(get(db(), id).next_attempt_ms == 8'000);
    CHECK(get(db(), id).last_error == "no answer");
    CHECK(store::due_outbox(db(), 7'999, 10)->empty());
    CHECK(store::drop_outbox(db(), id, 1'600).has_value());
    CHECK(store::mark_outbox_retry(db(), id, 3, 9'000, "late", 1'700).has_value());
    CHECK(get(db(), id).attempts == 2);
}

TEST_CASE_FIXTURE(StoreFixture, "R6: a message past its lifetime dies once and can live again") {
    const std::int64_t id = insert(db(), sample_reply("m1", "ag_peer", 0));
    insert(db(), sample_reply("m2", "ag_peer", 5'000'000));
    REQUIRE(store::mark_outbox_retry(db(), id, 9, 999'999, "away", 10).has_value());
    CHECK(store::expire_outbox(db(), 999'999)->empty());
    const auto expired = store::expire_outbox(db(), 1'000'000);
    REQUIRE(expired->size() == 1);
    CHECK(expired->front().id == id);
    CHECK(expired->front().state == OutboxState::Dead);
    CHECK(store::expire_outbox(db(), 1'000'000)->empty());
    CHECK(store::outbox_counts(db(), "ag_me")->dead == 1);
    CHECK(ids(*store::due_outbox(db(), 9'000'000, 10)) == "m2 ");

    // A message that would have lived longer has an end of its own.
    CHECK(store::requeue_outbox(db(), id, 2'000'000, 3'000'000).error().code ==
          ErrorCode::Conflict);
    CHECK(store::requeue_outbox(db(), id, 2'000'000, 500'000).has_value());
    const OutboxMessage again = get(db(), id);
    CHECK(again.state == OutboxState::Queued);
    CHECK(again.attempts == 0);
    CHECK(again.next_attempt_ms == 2'000'000);
    CHECK(again.expires_at_ms == 2'500'000);
    CHECK(again.last_error.empty());
    CHECK(again.message_id == "m1");
    CHECK(ids(*store::due_outbox(db(), 9'000'000, 10)) == "m1 ");
}

TEST_CASE_FIXTURE(StoreFixture, "Only queued and dead messages can be requeued or dropped") {
    const std::int64_t id = insert(db(), sample_reply("m1"));
    REQUIRE(store::mark_outbox_sent(db(), id, 1'100).has_value());
    CHECK(store::requeue_outbox(db(), id, 1, 2).error().code == ErrorCode::Conflict);
    CHECK(store::drop_outbox(db(), id, 1).error().code == ErrorCode::Conflict);
    CHECK(store::drop_outbox(db(), id, 1).error().message.find("sent") != std::string::npos);
    CHECK(store::requeue_outbox(db(), 99, 1, 2).error().code == ErrorCode::NotFound);
    CHECK(store::drop_outbox(db(), 99, 1).error().code == ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "Lists are newest first, of one state or of all, of one agent") {
    std::int64_t id[5];
    for (int i = 0; i < 5; ++i)
        id[i] = insert(db(), sample_reply("m" + std::to_string(i)));
    REQUIRE(store::mark_outbox_sent(db(), id[0], 1).has_value());
    REQUIRE(store::hand_over_outbox(db(), id[3], 2).value());
    REQUIRE(store::drop_outbox(db(), id[1], 1).has_value());
    OutboxMessage other = sample_reply("foreign");
    other.agent_id = "ag_other";
    insert(db(), other);

    CHECK(ids(*store::list_outbox(db(), "ag_me", std::nullopt, 10)) == "m4 m3 m2 m1 m0 ");
    CHECK(ids(*store::list_outbox(db(), "ag_me", std::nullopt, 2)) == "m4 m3 ");
    CHECK(ids(*store::list_outbox(db(), "ag_me", OutboxState::Queued, 10)) == "m4 m2 ");
    CHECK(ids(*store::list_outbox(db(), "ag_me", OutboxState::Sent, 10)) == "m0 ");
    CHECK(ids(*store::list_outbox(db(), "ag_me", OutboxState::Delivered, 10)) == "m3 ");
    CHECK(ids(*store::list_outbox(db(), "ag_me", OutboxState::Dropped, 10)) == "m1 ");
    const auto counts = store::outbox_counts(db(), "ag_me");
    CHECK(counts->queued == 2);
    CHECK(counts->sent == 2);
    CHECK(counts->dead == 0);
    CHECK(counts->oldest_queued_ms == 1'000);
    CHECK(store::outbox_counts(db(), "ag_nobody")->oldest_queued_ms == 0);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "Only messages that a yes has released are found for a peer, newest first") {
    const auto put = [&](const std::string& id, const std::string& effect, UnixMs at_ms,
                         OutboxState state = OutboxState::Sent, const std::string& to = "ag_peer") {
        OutboxMessage message = sample_reply(id, to, at_ms);
        message.effect_key = effect;
        message.state = state;
        insert(db(), message);
    };
    put("old", "approval:apr_0", 500);
    put("first", "approval:apr_1", 1'000, OutboxState::Delivered);
    put("second", "approval:apr_2", 2'000, OutboxState::Queued);
    put("no", "approval:apr_3:reject", 2'000);
    put("rule", "task:1", 2'000);
    put("tool", "", 2'000);
    put("dead", "approval:apr_4", 2'000, OutboxState::Dead);
    put("dropped", "approval:apr_5", 2'000, OutboxState::Dropped);
    put("other", "approval:apr_6", 2'000, OutboxState::Sent, "ag_other");
    CHECK(ids(store::released_outbox(db(), "ag_me", "ag_peer", 1'000, 10).value()) ==
          "no second first ");
    CHECK(ids(store::released_outbox(db(), "ag_me", "ag_peer", 0, 2).value()) == "no second ");
    CHECK(store::released_outbox(db(), "ag_you", "ag_peer", 0, 10)->empty());
}
