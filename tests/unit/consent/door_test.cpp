#include "daemon/consent/door.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/store/statement.h"
#include "core/wire/permit_digest.h"
#include "daemon/consent/causes.h"
#include "tests/support/permit.h"
#include "tests/support/queued_message.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using test::Desk;
using test::must;

namespace {

OutboxMessage message_because_of(const std::string& cause) {
    return test::queued_message("ag_seller", "ag_buyer", "chat.request", R"({"text":"Hello"})",
                                cause);
}

}  // namespace

TEST_CASE("the door gives no permit without a right") {
    Desk desk;
    const Approval approval = desk.open();
    const auto is_refused = [&](const std::string& cause) {
        const auto permit = consent::Door::permit(*desk.db, message_because_of(cause));
        return !permit && permit.error().code == ErrorCode::PermissionDenied;
    };
    CHECK(is_refused(""));
    CHECK(is_refused("because"));
    CHECK(is_refused("approval:"));
    CHECK(is_refused("approval:apr_never_was"));
    CHECK(is_refused("mandate:man_never_was"));
    SUBCASE("an open question gives none, an answered one does") {
        const std::string cause = "approval:" + approval.id;
        CHECK(is_refused(cause));
        desk.give_well(desk.proved(approval, AnswerKind::Approve));
        const Permit permit = must(consent::Door::permit(*desk.db, message_because_of(cause)));
        CHECK(permit.right() == Right::Yes);
        CHECK(permit.by() == approval.id);
        OutboxMessage of_another = message_because_of(cause);
        of_another.agent_id = "ag_other";
        CHECK_FALSE(consent::Door::permit(*desk.db, of_another).has_value());
    }
    SUBCASE("words give none without the verdict of the judge about exactly this message") {
        for (const auto& [cause, right] : {std::pair{"tool:send", Right::Harmless},
                                           {"unreviewed:send", Right::Unreviewed},
                                           {"hand:send", Right::OwnHand}}) {
            CAPTURE(cause);
            CHECK(is_refused(cause));
            OutboxMessage message = message_because_of(cause);
            message.judged = test::PermitMaker::judged(Right::Fixed);
            CHECK_FALSE(consent::Door::permit(*desk.db, message).has_value());
            message.judged = test::PermitMaker::judged(right, wire::permit_digest(message));
            CHECK(must(consent::Door::permit(*desk.db, message)).right() == right);
            message.payload_json = R"({"text":"Agreed"})";
            CHECK_FALSE(consent::Door::permit(*desk.db, message).has_value());
        }
    }
    SUBCASE("a negotiation gives none unless it is the sender's") {
        CHECK(is_refused("negotiation:collab-1"));
        CHECK(is_refused("negotiation_released:collab-1"));
    }
    SUBCASE("a rule gives one") {
        const auto permit = must(consent::Door::permit(*desk.db, message_because_of("rule:hello")));
        CHECK(permit.right() == Right::Answer);
        CHECK(permit.by() == "hello");
    }
}

TEST_CASE("the digest of a permit covers every part of what leaves, and nothing else") {
    const OutboxMessage message = message_because_of("rule:hello");
    const std::string digest = wire::permit_digest(message);
    CHECK(digest.size() == 64);
    for (const auto part :
         {&OutboxMessage::agent_id, &OutboxMessage::target_id, &OutboxMessage::message_id,
          &OutboxMessage::message_type, &OutboxMessage::trace_id, &OutboxMessage::payload_json}) {
        OutboxMessage changed = message;
        changed.*part += "x";
        CHECK(wire::permit_digest(changed) != digest);
    }
    OutboxMessage later = message;
    later.attempts = 3;
    later.next_attempt_ms += 1'000;
    later.last_error = "down";
    CHECK(wire::permit_digest(later) == digest);
}

TEST_CASE("a message is put into the outbox with its permit") {
    Desk desk;
    const OutboxMessage message = message_because_of("rule:hello");
    std::int64_t id = 0;
    desk.write([&] { id = must(consent::put_in_outbox(*desk.db, message)).id; });
    const OutboxMessage stored = desk.outbox().at(0);
    CHECK(stored.permit_right == Right::Answer);
    CHECK(stored.permitted_by == "hello");
    CHECK(stored.permit_digest == wire::permit_digest(message));
    CHECK(must(store::is_permitted(*desk.db, id, stored.permit_digest)));
    CHECK_FALSE(must(store::is_permitted(*desk.db, id, std::string(64, '0'))));
    CHECK_FALSE(must(store::is_permitted(*desk.db, id + 1, stored.permit_digest)));
}

TEST_CASE("only what waited at the upgrade needs no other right") {
    Desk desk;
    const auto put_old = [&] {
        std::int64_t id = 0;
        desk.write([&] {
            id = must(consent::put_in_outbox(*desk.db, message_because_of("rule:hello"))).id;
            must(desk.db
                     ->statement("update outbox set permit_right = 'before_permits', "
                                 "permit_digest = '' where id = ?")
                     .run(id));
        });
        return id;
    };
    const auto is_permitted = [&](std::int64_t id) {
        const auto rows = desk.outbox();
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.id == id; });
        return must(store::is_permitted(*desk.db, id, wire::permit_digest(*row)));
    };
    const std::int64_t old = put_old();
    CHECK_FALSE(is_permitted(old));
    desk.write([&] { must(consent::Door::take_over_old(*desk.db)); });
    CHECK(is_permitted(old));
    const std::int64_t later = put_old();
    desk.write([&] { must(consent::Door::take_over_old(*desk.db)); });
    CHECK_FALSE(is_permitted(later));
}

TEST_CASE("an unknown right is none and does not hide the other messages") {
    Desk desk;
    desk.write([&] {
        must(consent::put_in_outbox(*desk.db, message_because_of("rule:hello")));
        must(desk.db->statement("update outbox set permit_right = 'because'").run());
        must(consent::put_in_outbox(*desk.db, message_because_of("rule:hello")));
    });
    const auto rows = desk.outbox();
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].permit_right == Right::None);
    CHECK(rows[0].permit_right == Right::Answer);
}

TEST_CASE("R46: a message that no yes has released is judged again before it is sent late") {
    for (const char* cause :
         {"tool:send", "hand:send", "tool:agents", "tool:negotiation", "hand:negotiation",
          "tool:agent.stop", "negotiation:collab-1", "mandate:mnd_1", "", "something new"}) {
        CAPTURE(cause);
        CHECK(consent::is_judged_late(cause));
    }
    for (const char* cause : {"approval:apr_1", "rule:price.listed", "case:1", "task:t1",
                              "negotiation_released:collab-1", "negotiation_failed:collab-1"}) {
        CAPTURE(cause);
        CHECK_FALSE(consent::is_judged_late(cause));
    }
}

TEST_CASE("a cause claims one right, and an unknown one none") {
    CHECK(consent::claim_of("approval:apr_1").right == Right::Yes);
    CHECK(consent::claim_of("approval:apr_1").id == "apr_1");
    CHECK(consent::claim_of("hand:send").right == Right::OwnHand);
    CHECK(consent::claim_of("negotiation_released:collab-1").right == Right::OwnHand);
    for (const char* cause : {"", "approval", "self-test", "owner:me"})
        CHECK(consent::claim_of(cause).right == Right::None);
}
