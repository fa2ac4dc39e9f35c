// Messages that may still be sent although they could not be sent at once.
#include "daemon/mail/late_mail.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/mandate_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/matter.h"
#include "daemon/consent/terms.h"
#include "daemon/trade/actions.h"
#include "tests/support/identity.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using mail::Standing;

namespace {

/// ag_me, what ag_peer has said to it, and a message that waits for ag_peer.
struct Late : test::StoreFixture {
    Late() {
        collab::register_actions();
        collab::register_matter();
        auto agent = std::make_unique<Agent>(test::identity_of("ag_me"), 0U);
        agents.emplace("ag_me", std::move(agent));
    }
    /// An empty `rule` leaves it undecided.
    void hear(const std::string& type, const std::string& payload, const std::string& rule,
              const std::string& decision = "silent") {
        InboxMessage message = test::sample_message("m" + std::to_string(++said_));
        message.message_type = type;
        message.payload_json = payload;
        const auto stored = store::insert_inbox(db(), message);
        REQUIRE(stored);
        if (rule.empty()) return;
        Job job = store::get_job(db(), stored->inbox_id)->value();
        job.state = JobState::Done;
        job.decision = decision;
        job.rule_id = rule;
        REQUIRE(store::update_job(db(), job));
    }
    static OutboxMessage waiting(const std::string& cause, const std::string& payload = "{}") {
        OutboxMessage message = test::sample_reply("r1");
        message.cause = cause;
        message.payload_json = payload;
        return message;
    }
    Standing standing(const std::string& cause, const std::string& payload = "{}",
                      UnixMs now_ms = 0) {
        const auto found =
            mail::standing_with_receiver(db(), agents, waiting(cause, payload), now_ms);
        REQUIRE_MESSAGE(found, (found ? "" : found.error().message));
        return *found;
    }

    /// The yes of a mandate to a reply; the cause of its message.
    std::string approved_by_mandate(UnixMs answer_by_ms, UnixMs mandate_ends_ms) {
        MandateTerms terms;
        terms.agent_id = "ag_me";
        terms.ends_ms = mandate_ends_ms;
        Mandate mandate;
        mandate.id = "mdt_1";
        mandate.agent_id = "ag_me";
        mandate.given_by = "human";
        mandate.terms_json = mandates::write_terms(terms);
        REQUIRE(store::insert_mandate(db(), mandate));
        const std::string given = wire::text_object(
            {{"mandate", mandate.id}, {"terms_digest", wire::sha256_hex(mandate.terms_json)}});
        REQUIRE(store::append_audit(db(), "", "mandate.given", given, 1));
        Approval yes;
        yes.id = "apr_1";
        yes.agent_id = "ag_me";
        yes.peer_id = "ag_peer";
        yes.action_json = "{}";
        yes.answer_by_ms = answer_by_ms;
        REQUIRE(store::insert_approval(db(), yes));
        yes.status = ApprovalStatus::Approved;
        yes.surface = AnswerSurface::Mandate;
        yes.answered_by = "mandate:mdt_1";
        REQUIRE(store::answer_approval(db(), yes));
        REQUIRE(store::consume_approval(db(), yes.id, 1));
        REQUIRE(store::finish_approval(db(), yes.id, ApprovalOutcome::Executed, "{}", 1));
        return "approval:apr_1";
    }

    Agents agents;

  private:
    int said_ = 0;
};

}  // namespace

TEST_CASE_FIXTURE(Late, "R46: the answers to a negotiation do not hold back its next message") {
    hear("offer_response", R"({"channel_id":"collab-1"})", "negotiation.mail");
    CHECK(standing("negotiation:collab-1") == Standing::Quiet);
    CHECK(standing("tool:send") == Standing::Open);
    SUBCASE("an offer does") {
        hear("chat.request", R"({"text":"250 CNY. If you send me a plan, you agree."})", "");
        CHECK(standing("negotiation:collab-1") == Standing::Open);
    }
    SUBCASE("an answer to another one that counted does not") {
        hear("offer_response", R"({"channel_id":"collab-2"})", "negotiation.mail");
        CHECK(standing("negotiation:collab-1") == Standing::Quiet);
    }
}

TEST_CASE_FIXTURE(Late,
                  "R46: an invitation does not hold back its own answer, but other words do") {
    const std::string answer = R"({"channel_id":"collab-1","decision":"decline"})";
    hear("demand_offer", R"({"channel_id":"collab-1"})", "demand.invited", "ask");
    CHECK(standing("tool:negotiation", answer) == Standing::Quiet);
    CHECK(standing("hand:negotiation", answer) == Standing::Quiet);
    hear("chat.request", R"({"text":"250 CNY. Decline if you agree."})", "");
    CHECK(standing("tool:negotiation", answer) == Standing::Open);
    CHECK(standing("hand:negotiation", answer) == Standing::Open);
}

TEST_CASE_FIXTURE(Late, "R46: the report of a stopped agent waits for what was said to it") {
    CHECK(standing("tool:agent.stop") == Standing::Quiet);
    agents.at("ag_me")->is_stopped = true;
    CHECK(standing("tool:agent.stop") == Standing::Unread);
    agents.at("ag_me")->self_test.has_returned = true;
    CHECK(standing("tool:agent.stop") == Standing::Quiet);
}

TEST_CASE_FIXTURE(Late, "R52: a mandate's yes is judged again before it is sent late") {
    constexpr UnixMs kOfferEnds = 1'000;
    constexpr UnixMs kMandateEnds = 2'000;
    const std::string cause = approved_by_mandate(kOfferEnds, kMandateEnds);
    CHECK(mail::is_judged_late(db(), waiting(cause)));
    CHECK_FALSE(mail::is_judged_late(db(), waiting("approval:apr_of_a_person")));
    CHECK(standing(cause) == Standing::Quiet);
    SUBCASE("the offer has ended") {
        CHECK(standing(cause, "{}", kOfferEnds) == Standing::Open);
    }
    SUBCASE("the mandate was revoked") {
        REQUIRE(store::revoke_mandate(db(), "ag_me", "mdt_1", "human", 1));
        CHECK(standing(cause) == Standing::Open);
    }
    SUBCASE("the peer has written") {
        hear("chat.request", R"({"text":"I withdraw my offer."})", "");
        CHECK(standing(cause) == Standing::Open);
    }
    SUBCASE("the owner has changed a listing") {
        trade::register_actions();
        Approval change;
        change.id = "apr_2";
        change.agent_id = "ag_me";
        change.action = "works.update";
        change.action_json = "{}";
        REQUIRE(store::insert_approval(db(), change));
        change.status = ApprovalStatus::Approved;
        REQUIRE(store::answer_approval(db(), change));
        CHECK(standing(cause) == Standing::Quiet);
        REQUIRE(store::consume_approval(db(), change.id, 10));
        CHECK(standing(cause) == Standing::Open);
    }
    SUBCASE("the negotiation is unknown or over") {
        CHECK(standing(cause, R"({"channel_id":"collab-1"})") == Standing::Open);
    }
    SUBCASE("a message that is given up is taken back") {
        REQUIRE(mail::take_back_late(db(), waiting(cause), "the peer has written", 5));
        CHECK(store::get_approval(db(), "apr_1")->value().outcome == ApprovalOutcome::Failed);
    }
}

TEST_CASE_FIXTURE(Late, "R52: the yes of a mandate that has ended is not sent late") {
    const std::string cause = approved_by_mandate(5'000, 2'000);
    CHECK(standing(cause, "{}", 1'999) == Standing::Quiet);
    CHECK(standing(cause, "{}", 2'000) == Standing::Open);
}
