#include "daemon/mail/dead_letter.h"

#include <doctest/doctest.h>

#include <string>

#include "core/store/approval_store.h"
#include "core/store/notification_store.h"
#include "daemon/agents/tasks.h"
#include "daemon/consent/unsent.h"
#include "daemon/effects/rows.h"
#include "daemon/mail/news.h"
#include "daemon/notify/render.h"
#include "tests/support/permit.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using i18n::Language;
using mail::GivenUp;

namespace {

/// A message to ag_peer that was given up, and the notification about it.
struct Dead : test::StoreFixture {
    Dead() {
        mail::register_news();
        agents::register_actions();
        message.message_id = "msg_1";
    }
    void give_up(const mail::DeadLetter& dead) {
        if (message.id == 0) message.id = test::insert_outbox(db(), message).value().id;
        consent::Policy policy;
        policy.people = {Person{}};
        policy.people[0].low = policy.people[0].normal = policy.people[0].high = {{"terminal"}};
        REQUIRE(mail::record_dead_letter(db(), message, dead, 2'000, policy));
    }
    std::string told(Language language = Language::English) {
        const auto news = store::list_notifications(db(), 1).value();
        REQUIRE(news.size() == 1);
        const auto shown = notify::render(news[0], nullptr, {}, language);
        CHECK(!shown.title.empty());
        return shown.text;
    }
    std::string requeue() const { return "a2h outbox requeue " + std::to_string(message.id); }

    OutboxMessage message = reply();

  private:
    static OutboxMessage reply() {
        OutboxMessage message = test::sample_reply("r1");
        message.expires_at_ms = message.created_at_ms + effects::kOutboxLifetimeMs;
        return message;
    }
};

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE_FIXTURE(Dead, "the notice of an expired message names its receiver and reason") {
    give_up({GivenUp::Expired});
    for (const auto& [language, reason] :
         {std::pair(Language::English, "in time"), std::pair(Language::Chinese, "期限")}) {
        const std::string text = told(language);
        CAPTURE(text);
        CHECK(holds(text, "ag_peer"));
        CHECK(holds(text, reason));
        CHECK(holds(text, requeue()));
    }
}

TEST_CASE_FIXTURE(Dead, "the notice names the command only if sending again can help") {
    mail::DeadLetter dead{GivenUp::Unread};
    bool helps = false;
    SUBCASE("mail could not be read") {
        helps = true;
    }
    SUBCASE("its card named the time before which it was to be sent") {
        dead.why = GivenUp::Expired;
        --message.expires_at_ms;
    }
    SUBCASE("the peer has written since") {
        dead.why = GivenUp::Overtaken;
    }
    SUBCASE("the listing has changed") {
        dead.why = GivenUp::ListingChanged;
    }
    SUBCASE("the receiver was stopped") {
        dead.why = GivenUp::Stopped;
    }
    SUBCASE("a receiver that is no agent") {
        dead = {GivenUp::Undeliverable, "it is not an agent id"};
    }
    SUBCASE("the mandate's yes to it was taken back") {
        Approval yes = test::sample_approval("apr_1");
        REQUIRE(store::insert_approval(db(), yes));
        yes.status = ApprovalStatus::Approved;
        yes.surface = AnswerSurface::Mandate;
        yes.answered_by = "mandate:man_1";
        REQUIRE(store::answer_approval(db(), yes));
        message.cause = "approval:apr_1";
        dead.why = GivenUp::Expired;
    }
    give_up(dead);
    for (const auto language : {Language::English, Language::Chinese}) {
        const std::string text = told(language);
        CAPTURE(text);
        CHECK(holds(text, "ag_peer"));
        CHECK(holds(text, dead.error));
        CHECK(holds(text, requeue()) == helps);
        CHECK(!holds(text, "{"));
    }
}

TEST_CASE_FIXTURE(Dead, "the notice of an acceptance names the offer, and its yes has failed") {
    Approval yes = test::sample_approval("apr_1");
    yes.amount_minor = 25'000;
    yes.currency = "CNY";
    REQUIRE(store::insert_approval(db(), yes));
    yes.status = ApprovalStatus::Approved;
    yes.surface = AnswerSurface::Page;
    REQUIRE(store::answer_approval(db(), yes));
    REQUIRE(store::consume_approval(db(), "apr_1", 1));
    REQUIRE(store::finish_approval(db(), "apr_1", ApprovalOutcome::Executed, "queued", 1));
    message.cause = "approval:apr_1";
    message.payload_json = R"({"offer_message_id":"msg_9","type":"accept"})";
    give_up({GivenUp::Expired});
    for (const auto language : {Language::English, Language::Chinese}) {
        const std::string text = told(language);
        CAPTURE(text);
        CHECK(holds(text, "msg_9"));
        CHECK(holds(text, "250.00 CNY"));
    }
    const Approval after = *store::get_approval(db(), "apr_1").value();
    CHECK(after.outcome == ApprovalOutcome::Failed);
    CHECK(holds(after.outcome_detail, "not sent: msg_1"));
    message.state = OutboxState::Queued;
    REQUIRE(consent::record_queued_again(db(), message, 3'000));
    CHECK(store::get_approval(db(), "apr_1")->value().outcome == ApprovalOutcome::Executed);
}

TEST_CASE_FIXTURE(Dead, "the notice of an offer names its amount") {
    message.payload_json = R"({"price":{"amount":"250","currency":"CNY"},"type":"offer"})";
    give_up({GivenUp::Expired});
    CHECK(holds(told(), "your offer of 250.00 CNY"));
    CHECK(holds(told(Language::Chinese), "250.00 CNY"));
}

TEST_CASE_FIXTURE(Dead, "the notice of a message without a permit says that it is never sent") {
    give_up({GivenUp::Expired});
    mail::DeadLetter dead{GivenUp::NoPermit};
    message.payload_json = R"({"text":"changed"})";
    SUBCASE("found when it was to be sent") {}
    SUBCASE("expired before") {
        dead.why = GivenUp::Expired;
    }
    give_up(dead);
    CHECK(holds(told(), "has no permit"));
    CHECK(holds(told(Language::Chinese), "放行凭据"));
    CHECK(!holds(told(), "requeue"));
}

TEST_CASE_FIXTURE(Dead, "the notice of an earlier version names its receiver and error") {
    Notification old;
    old.kind = "outbox.dead";
    old.body_json = R"({"error":"agent_not_found","message_id":"m","peer_id":"ag_old"})";
    const auto text = notify::render(old, nullptr, {}, Language::English).text;
    CHECK(holds(text, "ag_old"));
    CHECK(holds(text, "agent_not_found"));
}
