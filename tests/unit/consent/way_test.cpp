#include "daemon/consent/way.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/store/approval_store.h"
#include "core/store/statement.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using test::Desk;
using test::must;

namespace {

/// An approved message whose offer is no longer valid when it is to be sent.
Approval late_message(Desk& desk) {
    consent::Ask ask = desk.ask();
    ask.job_id = 0;
    ask.action = "message.send";
    ask.request_json = R"({"act_before_ms":1,"payload":{"text":"Agreed."}})";
    ask.requested_by = "tool:send";
    ask.about = About::Other;
    const Approval approval = desk.open(ask);
    desk.give_well(desk.proved(approval, AnswerKind::Approve));
    return desk.stored(approval.id);
}

std::vector<Notification> news_of(Desk& desk, std::string_view kind) {
    std::vector<Notification> rows = must(store::list_notifications(*desk.db, 100));
    std::erase_if(rows, [&](const Notification& row) { return row.kind != kind; });
    return rows;
}

}  // namespace

TEST_CASE("a question whose row was changed is neither answered nor carried out") {
    for (const char* column : {"action_json", "reply_text", "reject_text", "peer_id"}) {
        CAPTURE(column);
        Desk desk;
        const Approval approval = desk.open();
        const consent::Answer yes = desk.proved(approval, AnswerKind::Approve);
        desk.write([&] {
            const std::string change = "update approval set " + std::string(column) +
                                       " = replace(" + column + ", '4', '9') || ' '";
            must(desk.db->statement(change.c_str()).run());
        });
        CHECK(desk.refusal(yes) == ErrorCode::Corrupt);
        CHECK(desk.outbox().empty());
    }
}

TEST_CASE("people are notified of an approved action at home that has failed") {
    Desk desk;
    const Approval approval = late_message(desk);
    REQUIRE(approval.status == ApprovalStatus::Approved);
    desk.write([&] { must(consent::carry_out(*desk.db, approval, false, desk.policy, desk.now)); });
    CHECK(desk.stored(approval.id).outcome == ApprovalOutcome::Failed);
    CHECK(desk.outbox().empty());
    const auto news = news_of(desk, "approval.failed");
    REQUIRE(!news.empty());
    CHECK(news.front().body_json.find("no longer valid") != std::string::npos);
}

TEST_CASE("nobody is notified of an approved action at home that was carried out") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.job_id = 0;
    ask.action = "message.send";
    ask.request_json = R"({"payload":{"text":"Agreed."}})";
    ask.requested_by = "tool:send";
    ask.about = About::Other;
    const Approval approval = desk.open(ask);
    desk.give_well(desk.proved(approval, AnswerKind::Approve));
    desk.write([&] {
        must(consent::carry_out(*desk.db, desk.stored(approval.id), false, desk.policy, desk.now));
    });
    CHECK(desk.stored(approval.id).outcome == ApprovalOutcome::Executed);
    CHECK(desk.outbox().size() == 1);
    CHECK(news_of(desk, "approval.failed").empty());
}
