#include "daemon/outcome/outcome.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_approval;
using a2h::test::sample_message;
using a2h::test::sample_reply;
using a2h::test::StoreFixture;

namespace {

/// A question to the human about the message `number`, with a holding reply to its peer.
outcome::Effects question(store::Database& db, const std::string& number) {
    const auto inserted = store::insert_inbox(db, sample_message("msg_" + number));
    outcome::Effects effects;
    effects.job = **store::get_job(db, inserted->inbox_id);
    effects.job->state = JobState::WaitingForHuman;
    effects.job->decision = "ask";
    effects.approval.emplace(sample_approval("apr_" + number, "digest_" + number));
    effects.approval->job_id = effects.job->id;
    effects.outbox.push_back(sample_reply("hold_" + number));
    return effects;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "a peer gets one holding reply while a question of it waits") {
    const consent::Policy policy;
    auto first = question(db(), "1");
    REQUIRE(outcome::write_effects(db(), first, policy)->size() == 1);
    auto second = question(db(), "2");
    CHECK(outcome::write_effects(db(), second, policy)->empty());
    CHECK(second.outbox.empty());
    CHECK(store::get_job(db(), second.job->id)->value().state == JobState::WaitingForHuman);
}

TEST_CASE_FIXTURE(StoreFixture, "R49: a question in somebody's name keeps nobody from a reply") {
    const consent::Policy policy;
    auto forged = question(db(), "1");
    forged.approval->provenance = "unverified";
    REQUIRE(outcome::write_effects(db(), forged, policy)->size() == 1);
    auto genuine = question(db(), "2");
    genuine.approval->provenance = "verified";
    CHECK(outcome::write_effects(db(), genuine, policy)->size() == 1);
    auto again = question(db(), "3");
    again.approval->provenance = "unverified";
    CHECK(outcome::write_effects(db(), again, policy)->empty());
}

TEST_CASE_FIXTURE(StoreFixture, "a question is audited with its decision, holding reply or not") {
    auto asked = question(db(), "1");
    asked.outbox.front().effect_key = outcome::job_effect_key(asked.job->id) + ":hold";
    REQUIRE(outcome::write_effects(db(), asked, consent::Policy{})->size() == 1);
    const auto rows = store::audit_rows(db(), "apr_1").value();
    CHECK(std::count_if(rows.begin(), rows.end(),
                        [](const AuditRow& row) { return row.what == "message.decided"; }) == 1);
}
