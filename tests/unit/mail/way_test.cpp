#include "daemon/mail/way.h"

#include <doctest/doctest.h>

#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/base/ids.h"
#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/collab/demand_mail.h"
#include "daemon/consent/flood.h"
#include "daemon/effects/rows.h"
#include "tests/support/identity.h"
#include "tests/support/manual_clock.h"
#include "tests/support/permit.h"
#include "tests/support/read_mail.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

constexpr UnixMs kDecideAt = 1'760'000'000'000;

std::unique_ptr<Agent> seller() {
    auto agent = std::make_unique<Agent>(test::identity_of("ag_me"), 0U);
    agent->listings = {Listing{.works_id = "w1",
                               .agent_id = "ag_me",
                               .type = ListingType::Service,
                               .title = "Logo design",
                               .content = "Three drafts in five days.",
                               .expected_price = "280 CNY",
                               .service_method = "online",
                               .service_location = {},
                               .pictures = {},
                               .status = {},
                               .updated_at_ms = 0}};
    return agent;
}

/// The message that a dispatcher would sign and send.
struct Signed final : outcome::CommitListener {
    explicit Signed(outcome::Commits& commits) { commits.add(*this); }
    void writing(const outcome::Effects& effects) override {
        for (const OutboxMessage& message : effects.outbox)
            signed_texts.push_back(message.payload_json);
    }
    void written(const outcome::Effects&, const std::vector<store::OutboxPlace>& places) override {
        queued.insert(queued.end(), places.begin(), places.end());
    }
    std::vector<std::string> signed_texts;
    std::vector<store::OutboxPlace> queued;
};

/// The path of messages on a real database with a loop of its own; the built-in rules decide.
struct Scene {
    test::TempDir dir;
    ManualClock clock{kDecideAt};
    Loop loop;
    std::unique_ptr<store::Writer> writer = std::make_unique<store::Writer>(
        store::Database::open(dir.path() / "a2hd.db", store::Database::Mode::ReadWrite).value());
    std::unique_ptr<store::Database> reader =
        store::Database::open(dir.path() / "a2hd.db", store::Database::Mode::ReadOnly).value();
    Workers workers{1};
    Current<Config> config;
    decide::RuleSet rules = decide::RuleSet::load({}).value();
    kernel::Metrics metrics;
    kernel::Kernel kernel{clock, loop, *writer, *reader, workers};
    Agents agents;
    outcome::Commits commits{metrics, true};
    Signed listener{commits};
    mail::KeyRing key_ring{
        store::Database::open(dir.path() / "a2hd.db", store::Database::Mode::ReadOnly).value()};
    mail::Authenticator authenticator{kernel, config, key_ring, commits};
    mail::Deciding deciding{kernel, config, rules, agents};
    stages::Exchange stages{clock,          loop,     *writer, *reader, config,
                            config->stages, deciding, nullptr, commits};
    agents::Residents residents{agents};
    agents::AgentMail agent_mail{kernel, config, residents, commits};
    test::NoWords no_words;
    collab::ProfileSync profiles{kernel, no_words};
    test::ReadMail read_mail;
    collab::Coordinator coordinator{kernel, config, agents, profiles, read_mail, nullptr, commits};
    collab::Advisor advisor{kernel, config, agents, profiles, read_mail, nullptr, commits};
    collab::DemandMail demand_mail{kernel, config, coordinator, advisor, read_mail, false, commits};
    outcome::OwnMailTable own_mail{{&stages, &demand_mail, &agent_mail}};
    mail::Way way{kernel,   config,    agents, authenticator, deciding,
                  own_mail, read_mail, stages, commits};
    std::vector<std::string>& signed_texts = listener.signed_texts;
    std::vector<store::OutboxPlace>& queued = listener.queued;
    std::thread thread;

    Scene() {
        agents["ag_me"] = seller();
        thread = std::thread([this] { loop.run(); });
        on_loop([this] { way.start(); });
    }
    ~Scene() {
        loop.stop();
        thread.join();
    }

    /// Runs `work` on the loop and waits for it.
    void on_loop(std::function<void()> work) {
        std::promise<void> done;
        loop.post([&] {
            work();
            done.set_value();
        });
        done.get_future().wait();
    }

    /// Waits until everything that the loop and the writer have begun is done.
    void settle() {
        for (int i = 0; i < 3; ++i) {
            REQUIRE(writer->submit_urgent([](store::Database&) { return Result<void>(); }).get());
            on_loop([] {});
        }
    }

    InboxMessage message(const std::string& text) {
        InboxMessage message;
        message.agent_id = "ag_me";
        message.sender_id = "ag_peer";
        message.message_id = new_message_id(clock.now_ms());
        message.message_type = "chat.request";
        message.trace_id = "trace_1";
        message.payload_json = "{\"text\":\"" + text + "\"}";
        message.payload_hash = message.message_id;
        message.envelope_json = message.message_id;
        message.provenance = Provenance::Verified;
        message.received_at_ms = clock.now_ms();
        return message;
    }

    bool expect(const InboxMessage& message, mail::EarlyDecision& early) {
        on_loop([&] { way.expect(message, &early); });
        on_loop([&] { is_busy = way.in_progress() > 0; });
        return is_busy;
    }

    /// Stores the message and its early decision, as the receiver does.
    void store(InboxMessage& message, mail::EarlyDecision* early) {
        REQUIRE(writer
                    ->submit_urgent([&](store::Database& db) -> Result<void> {
                        A2H_ASSIGN_OR_RETURN(const auto inserted, store::insert_inbox(db, message));
                        message.id = inserted.inbox_id;
                        const auto write = early ? early->take() : mail::EarlyDecision::Write();
                        return write ? write(db, message.id) : Result<void>();
                    })
                    .get());
    }

    Job task(std::int64_t id) { return store::get_job(*reader, id).value().value(); }
    std::size_t replies() {
        return store::list_outbox(*reader, "ag_me", std::nullopt, 100).value().size();
    }

    bool is_busy = false;
};

}  // namespace

TEST_CASE("an early decision is carried out once, when its message is stored") {
    Scene s;
    InboxMessage message = s.message("How much is it?");
    mail::EarlyDecision early;
    REQUIRE(s.expect(message, early));
    CHECK(s.signed_texts.size() == 1);
    s.store(message, &early);
    CHECK(s.task(message.id).state == JobState::Done);
    CHECK(s.replies() == 1);
    s.on_loop([&] { s.way.decided(message, early); });
    CHECK(s.queued.size() == 1);
    s.on_loop([&] { s.way.start(); });
    s.settle();
    CHECK(s.replies() == 1);
    CHECK(s.way.in_progress() == 0);
}

TEST_CASE("a message whose early decision came to nothing is decided like any other") {
    Scene s;
    InboxMessage message = s.message("How much is it?");
    mail::EarlyDecision early;
    REQUIRE(s.expect(message, early));
    s.store(message, nullptr);
    CHECK(s.replies() == 0);
    s.on_loop([&] {
        s.way.withdraw(message, early);
        s.way.accept(message);
    });
    s.settle();
    CHECK(s.replies() == 1);
    CHECK(s.queued.size() == 1);
    CHECK(s.task(message.id).state == JobState::Done);
    CHECK(s.way.in_progress() == 0);
}

TEST_CASE("the next message of a peer waits for what was decided early about the one before") {
    Scene s;
    InboxMessage first = s.message("How much is it?");
    InboxMessage second = s.message("And how long does it take?");
    mail::EarlyDecision early;
    mail::EarlyDecision too_early;
    REQUIRE(s.expect(first, early));
    s.on_loop([&] { s.way.expect(second, &too_early); });
    CHECK(!too_early.take());
    s.store(first, &early);
    s.store(second, nullptr);
    s.on_loop([&] { s.way.accept(second); });
    s.settle();
    CHECK(s.task(second.id).state == JobState::Pending);
    s.on_loop([&] { s.way.decided(first, early); });
    s.settle();
    CHECK(s.task(second.id).state == JobState::Done);
    CHECK(s.replies() == 2);
}

TEST_CASE("a question to the human is never decided early") {
    Scene s;
    const InboxMessage message = s.message("Would you do it for 200 CNY?");
    mail::EarlyDecision early;
    CHECK(!s.expect(message, early));
    CHECK(!early.take());
    CHECK(s.signed_texts.empty());
}

TEST_CASE("the writer does not wait for a loop that has nothing to say early") {
    mail::EarlyDecision early;
    early.decline();
    CHECK(!early.take());
    CHECK(!early.give([](store::Database&, std::int64_t) -> Result<void> { return {}; }));
}

TEST_CASE("a reply names the order of its conversation until the market says that it is over") {
    Scene s;
    const auto answer_to = [&](const std::string& text) {
        s.clock.advance(std::chrono::seconds(1));
        InboxMessage message = s.message(text);
        mail::EarlyDecision early;
        REQUIRE(s.expect(message, early));
        s.store(message, &early);
        s.on_loop([&] { s.way.decided(message, early); });
        return s.signed_texts.back();
    };
    REQUIRE(s.writer
                ->submit_urgent([&](store::Database& db) -> Result<void> {
                    const auto place = test::insert_outbox(
                        db, effects::new_outbox_message("ag_me", "ag_peer",
                                                        R"({"orderId":"WKS_1","text":"Noted."})",
                                                        "", "approval:apr_1", kDecideAt));
                    return place ? Result<void>() : fail(place.error());
                })
                .get());
    CHECK(answer_to("How much is it?").find(R"("orderId":"WKS_1")") != std::string::npos);

    InboxMessage event = s.message("over");
    event.sender_id = "ag_market";
    event.source = SourceClass::Platform;
    event.payload_json = R"({"order":{"orderId":"WKS_1","status":"PAID"},"type":"order.event"})";
    s.store(event, nullptr);
    CHECK(answer_to("What is the price?").find(R"("orderId":"WKS_1")") != std::string::npos);
    event.message_id = "msg_over";
    event.payload_json =
        R"({"order":{"orderId":"WKS_1","status":"COMPLETED"},"type":"order.event"})";
    s.store(event, nullptr);
    CHECK(answer_to("What does it cost, please?").find("orderId") == std::string::npos);
}

TEST_CASE("R49: unverified messages use up their own limits and not the sender's") {
    Scene s;
    const auto hear = [&](const std::string& text, Provenance provenance) {
        s.clock.advance(std::chrono::milliseconds(1));
        InboxMessage message = s.message(text);
        message.provenance = provenance;
        s.store(message, nullptr);
        s.on_loop([&] { s.way.accept(message); });
        s.settle();
        return s.task(message.id);
    };
    SUBCASE("a minute") {
        for (int i = 0; i < s.config->limits.messages_per_minute; ++i)
            hear("Would you do it for 20" + std::to_string(i) + " CNY?", Provenance::Unverified);
        CHECK(hear("I need it soon.", Provenance::Unverified).rule_id == "guard.rate");
        hear("I need it very soon.", Provenance::Forged);
        CHECK(hear("Would you do it for 200 CNY?", Provenance::Verified).decision == "ask");
    }
    SUBCASE("a day") {
        const char* const price = "How much is it?";
        for (int i = 0; i < s.config->limits.rounds_per_day; ++i) {
            s.clock.advance(std::chrono::minutes(1));
            REQUIRE(hear(price, Provenance::Unverified).decision == "answer");
        }
        CHECK(hear(price, Provenance::Unverified).rule_id == "guard.rounds");
        CHECK(hear(price, Provenance::Verified).decision == "answer");
    }
}

TEST_CASE("R79: a flood of messages leaves one open question about its peer") {
    Scene s;
    const auto hear = [&](const std::string& text) {
        s.clock.advance(std::chrono::milliseconds(1));
        InboxMessage message = s.message(text);
        s.store(message, nullptr);
        s.on_loop([&] { s.way.accept(message); });
        s.settle();
        return s.task(message.id);
    };
    const auto open = [&] { return store::pending_about(*s.reader, "ag_me", "ag_peer").value(); };
    REQUIRE(hear("Would you do it for 200 CNY?").decision == "ask");
    REQUIRE(open().size() == 1);
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i <= s.config->limits.messages_per_minute; ++i)
            hear("And does your cousin " + std::to_string(i) + " like it?");
        REQUIRE(open().size() == 1);
        CHECK(consent::asks_to_read(open()[0]));
        CHECK(open()[0].reply_text.empty());
        s.clock.advance(std::chrono::minutes(2));
    }
}

TEST_CASE("R79: an offer before a message that a2hd leaves unread is asked about without a draft") {
    Scene s;
    const auto hear = [&](const std::string& text) {
        s.clock.advance(std::chrono::milliseconds(1));
        InboxMessage message = s.message(text);
        message.trace_id = "trace_1760000000000_0badf00d";
        s.store(message, nullptr);
        s.on_loop([&] { s.way.accept(message); });
        s.settle();
        return s.task(message.id);
    };
    const auto open = [&] { return store::pending_about(*s.reader, "ag_me", "ag_peer").value(); };
    for (int i = 1; i < s.config->limits.messages_per_minute; ++i)
        hear("Hello!");
    REQUIRE(hear("Would you do it for 200 CNY?").decision == "ask");
    REQUIRE_FALSE(open()[0].reply_text.empty());
    CHECK(hear("No, 190.").rule_id == "guard.rate");
    REQUIRE(open().size() == 1);
    CHECK(consent::asks_to_read(open()[0]));
}
