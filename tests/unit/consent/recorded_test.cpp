// What was written or changed in the database by anybody but a2hd has no effect.

#include "daemon/consent/recorded.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/store/after_restore.h"
#include "core/store/mandate_store.h"
#include "core/store/statement.h"
#include "core/store/vote_store.h"
#include "daemon/consent/door.h"
#include "daemon/effects/rows.h"
#include "tests/unit/consent/mandate_desk.h"

using namespace a2h;
using test::Desk;
using test::MandateDesk;
using test::must;
using test::reply_terms;

namespace {

using Names = std::vector<std::string>;

void change(Desk& desk, const char* sql) {
    desk.write([&] { must(desk.db->statement(sql).run()); });
}

Approval open_to_two_of_three(Desk& desk) {
    desk.policy.rules = {{"reply.send", 20'000, "CNY", 2, {"human", "anna", "bert"}}};
    return desk.open();
}

consent::Answer yes_of(const Desk& desk, const Approval& approval, const std::string& person) {
    consent::Answer answer = desk.proved(approval, AnswerKind::Approve);
    answer.person = person;
    answer.proof = consent::approval_link_token(desk.secrets, approval, person);
    return answer;
}

}  // namespace

TEST_CASE_FIXTURE(Desk, "R63: a yes counts only if the audit holds it") {
    const Approval approval = open();
    change(*this, "update approval set status = 'approved', answered_by = 'human'");
    CHECK_FALSE(must(consent::was_answered_so(*db, stored(approval.id))));
    OutboxMessage message =
        effects::new_outbox_message("ag_seller", "ag_buyer", R"({"text":"300 CNY is fine"})", {},
                                    "approval:" + approval.id, now);
    CHECK(consent::Door::permit(*db, message).error().code == ErrorCode::PermissionDenied);
    change(*this, "update approval set status = 'pending', answered_by = ''");
    give_well(proved(approval, AnswerKind::Approve));
    CHECK(must(consent::was_answered_so(*db, stored(approval.id))));
    CHECK(consent::Door::permit(*db, message).has_value());
    change(*this, "update approval set answered_by = 'anna'");
    CHECK_FALSE(must(consent::was_answered_so(*db, stored(approval.id))));
}

TEST_CASE_FIXTURE(Desk, "R63: a yes that was used is not used again") {
    const Approval approval = open();
    give_well(proved(approval, AnswerKind::Approve));
    change(*this, "update approval set outcome = 'none'");
    CHECK(must(consent::was_answered_so(*db, stored(approval.id))));
    CHECK_FALSE(must(consent::awaits_outcome(*db, stored(approval.id))));
}

TEST_CASE_FIXTURE(Desk, "R63: a no that was turned into a yes is none") {
    const Approval approval = open();
    give_well(proved(approval, AnswerKind::Reject));
    change(*this, "update approval set status = 'approved', outcome = 'none'");
    CHECK_FALSE(must(consent::was_answered_so(*db, stored(approval.id))));
}

TEST_CASE_FIXTURE(Desk, "R63: other words under a digest of their own are not the question") {
    const Approval approval = open();
    Approval other = stored(approval.id);
    other.action_json = R"({"action":"reply.send","peer_id":"ag_buyer","text":"1 CNY"})";
    other.reply_text = "1 CNY";
    other.digest = wire::sha256_hex(other.action_json);
    write([&] {
        must(db->statement("update approval set action_json = ?, reply_text = ?, "
                           "reject_text = '', digest = ?")
                 .run(other.action_json, other.reply_text, other.digest));
    });
    CHECK(refusal(proved(stored(approval.id), AnswerKind::Approve)) == ErrorCode::Corrupt);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(Desk, "R63: a vote that the audit does not hold is not counted") {
    const Approval approval = open_to_two_of_three(*this);
    write([&] {
        must(store::insert_vote(*db,
                                {approval.id, "anna", approval.digest, AnswerSurface::Page, now}));
    });
    const auto answered = give_well(yes_of(*this, approval, "bert"));
    CHECK(answered.approval.status == ApprovalStatus::Pending);
    CHECK(answered.votes == Names{"bert"});
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(Desk, "R63: fewer votes than were asked for do not decide") {
    const Approval approval = open_to_two_of_three(*this);
    change(*this, "update approval set votes_needed = 1");
    CHECK(refusal(yes_of(*this, stored(approval.id), "bert")) == ErrorCode::Corrupt);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(MandateDesk, "R63: a mandate covers only with the terms that were given") {
    give(reply_terms());
    change(*this, "update mandate set terms_json = replace(terms_json, '28000', '10000')");
    expect_asked(bounded(15'000));
    expect_asked(bounded(30'000));
    const auto listed = must(mandates::list(*db, "ag_seller", false, now));
    REQUIRE(listed.size() == 1);
    CHECK_FALSE(listed[0].terms.has_value());
    change(*this, "update mandate set terms_json = replace(terms_json, '10000', '28000')");
    CHECK(yes(bounded(30'000)));
}

TEST_CASE_FIXTURE(MandateDesk,
                  "R63: a revoked mandate stays revoked, and one that nobody gave is none") {
    const std::string id = give(reply_terms());
    write([&] { must(mandates::revoke(*db, "ag_seller", id, test::kHuman, now)); });
    change(*this, "update mandate set revoked_at_ms = 0, revoked_by = ''");
    expect_asked(bounded(30'000));
    give(reply_terms());
    write([&] { must(store::set_aside_open_things(*db, now)); });
    change(*this, "update mandate set revoked_at_ms = 0, revoked_by = ''");
    expect_asked(bounded(30'000));
    change(*this,
           "insert into mandate (id, agent_id, action, terms_json, given_by, surface, given_at_ms) "
           "select 'mdt_forged', agent_id, action, terms_json, given_by, surface, given_at_ms "
           "from mandate limit 1");
    expect_asked(bounded(30'000));
}
