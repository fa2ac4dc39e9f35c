#include "core/store/unanswered_store.h"

#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/outbox_store.h"
#include "core/store/task_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using test::sample_message;

namespace {

/// ag_me and what ag_peer has said to it.
struct Table : test::StoreFixture {
    UnixMs now = 1'000;
    int said = 0;

    /// Stores a message and how it was decided; an empty `decision` leaves that open.
    std::int64_t hear(const std::string& decision, const std::string& rule_id,
                      const std::string& message_type = "chat.request",
                      const std::string& hash = "") {
        InboxMessage message = sample_message("m" + std::to_string(++said), "ag_peer", ++now);
        message.message_type = message_type;
        if (!hash.empty()) message.payload_hash = hash;
        const auto stored = store::insert_inbox(db(), message);
        REQUIRE(stored);
        if (decision.empty()) return stored->inbox_id;
        Task task = store::get_task(db(), stored->inbox_id)->value();
        task.state = TaskState::Done;
        task.decision = decision;
        task.rule_id = rule_id;
        REQUIRE(store::update_task(db(), task));
        return stored->inbox_id;
    }
    /// A message of ours that an answer on `surface` has released.
    void release(AnswerSurface surface, const std::string& payload = R"({"text":"x"})") {
        const std::string number = std::to_string(++said);
        Approval approval = test::sample_approval("apr_" + number, "digest " + number);
        REQUIRE(store::insert_approval(db(), approval));
        approval.status = ApprovalStatus::Approved;
        approval.surface = surface;
        approval.answered_by = "human";
        approval.answered_at_ms = ++now;
        REQUIRE(store::answer_approval(db(), approval));
        reply("approval:" + approval.id, payload);
    }
    void reply(const std::string& cause, const std::string& payload = R"({"text":"x"})") {
        OutboxMessage message = test::sample_reply("r" + std::to_string(++said), "ag_peer", ++now);
        message.cause = cause;
        message.payload_json = payload;
        REQUIRE(store::insert_outbox(db(), message));
    }
    bool is_open(const std::string& peer_id = "ag_peer") {
        const auto open = store::has_unanswered(db(), "ag_me", peer_id);
        REQUIRE_MESSAGE(open, (open ? "" : open.error().message));
        return *open;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Table, "R46: a message that the human was asked about is open, whoever else is") {
    CHECK_FALSE(is_open());
    hear("ask", "offer.made");
    CHECK(is_open());
    CHECK_FALSE(is_open("ag_other"));
    CHECK_FALSE(store::has_unanswered(db(), "ag_peer", "ag_me").value());
}

TEST_CASE_FIXTURE(Table, "R46: courtesies, answers of rules and reports leave nothing open") {
    hear("silent", "courtesy");
    hear("silent", "courtesy.telling");
    hear("silent", "message.holding");
    hear("answer", "question.listing_states");
    hear("silent", "house.mail", "status_report");
    hear("silent", "guard.elsewhere");
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: what nobody has read, or a rule of the owner's ignores, is open") {
    SUBCASE("not decided") {
        hear("", "");
    }
    SUBCASE("too many a minute") {
        hear("silent", "guard.rate");
    }
    SUBCASE("too many a day") {
        hear("silent", "guard.rounds");
    }
    SUBCASE("a rule of the owner's") {
        hear("silent", "my.rule");
    }
    SUBCASE("a request to work together") {
        hear("silent", "house.mail", "collaboration_request");
    }
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: only what the human has released answers an open message") {
    hear("ask", "offer.made");
    reply("rule:offer.made");
    reply("tool:send");
    CHECK(is_open());
    release(AnswerSurface::Terminal);
    CHECK_FALSE(is_open());
    hear("ask", "offer.made");
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: an acceptance by a mandate answers, an offer by one does not") {
    hear("ask", "offer.made");
    release(AnswerSurface::Mandate, R"({"type":"offer","price":{"amount":"1","currency":"CNY"}})");
    CHECK(is_open());
    release(AnswerSurface::Mandate, R"({"text":"Agreed: 1 CNY"})");
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: a repeated message is as open as the first one was") {
    hear("silent", "courtesy", "chat.request", "thanks");
    hear("silent", "message.repeated", "chat.request", "thanks");
    CHECK_FALSE(is_open());
    hear("ask", "offer.made", "chat.request", "250?");
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
    hear("silent", "message.repeated", "chat.request", "250?");
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: while a question about a peer waits, everything is open") {
    Approval approval = test::sample_approval("apr_1");
    REQUIRE(store::insert_approval(db(), approval));
    CHECK(is_open());
}
