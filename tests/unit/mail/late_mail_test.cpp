// What may still be sent although it could not be sent at once.
#include "daemon/mail/late_mail.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using mail::Standing;

namespace {

/// ag_me, what ag_peer has said to it, and a message that waits for ag_peer.
struct Late : test::StoreFixture {
    Late() {
        auto agent = std::make_unique<Agent>();
        agent->identity.account.agent_id = "ag_me";
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
    Standing standing(const std::string& cause, const std::string& payload = "{}") {
        OutboxMessage message = test::sample_reply("r1");
        message.cause = cause;
        message.payload_json = payload;
        const auto found = mail::standing_with_receiver(db(), agents, message);
        REQUIRE_MESSAGE(found, (found ? "" : found.error().message));
        return *found;
    }

    Agents agents;

  private:
    int said_ = 0;
};

}  // namespace

TEST_CASE_FIXTURE(Late, "R46: the answers to a negotiation do not keep its next message") {
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

TEST_CASE_FIXTURE(Late, "R46: an invitation does not keep its answer, and other words do") {
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
