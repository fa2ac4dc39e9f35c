#include "daemon/mail/receiver.h"

#include <doctest/doctest.h>

#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/refused_store.h"
#include "core/store/setting_store.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

/// Runs what is posted when the test asks for it.
class QueuePoster final : public Poster {
  public:
    void post(std::function<void()> task) override {
        if (at_once) {
            const std::lock_guard lock(running_);
            task();
            return;
        }
        tasks_.with([&](auto& tasks) { tasks.push_back(std::move(task)); });
    }
    void run_all() {
        auto tasks = tasks_.with([](auto& waiting) { return std::exchange(waiting, {}); });
        for (auto& task : tasks)
            task();
    }

    bool at_once = false;  ///< a loop that has nothing else to do

  private:
    std::mutex running_;
    Guarded<std::vector<std::function<void()>>> tasks_;
};

wire::SigningKeys keys_of(const std::string& agent_key) {
    return {agent_key, wire::new_key_pair()};
}

/// A receiver of ag_me on a real database in a folder of its own.
struct Fixture : mail::Arrivals, mail::SelfTests {
    virtual ~Fixture() = default;
    test::TempDir dir;
    ManualClock clock{kNow};
    QueuePoster loop;
    std::unique_ptr<store::Database> reader;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<mail::KeyRing> key_ring;
    std::vector<std::string> expected;
    std::vector<std::string> accepted;
    std::vector<std::string> decided_;
    int withdrawn = 0;
    /// Gets the chance to decide early; without this function it is declined.
    std::function<void(mail::EarlyDecision&)> on_early;
    std::vector<std::string> returned_;
    wire::SigningKeys own = keys_of("own-key");
    wire::SigningKeys peer = keys_of("peer-key");
    kernel::Metrics metrics;
    std::unique_ptr<mail::Receiver> receiver;

    Fixture() {
        using store::Database;
        const auto file = dir.path() / "a2hd.db";
        writer = std::make_unique<store::Writer>(
            Database::open(file, Database::Mode::ReadWrite).value());
        reader = Database::open(file, Database::Mode::ReadOnly).value();
        key_ring =
            std::make_unique<mail::KeyRing>(Database::open(file, Database::Mode::ReadOnly).value());
        receiver = std::make_unique<mail::Receiver>("ag_me", own, clock, *writer, loop, *key_ring,
                                                    metrics, static_cast<mail::Arrivals&>(*this),
                                                    static_cast<mail::SelfTests&>(*this));
    }

    void expect(const InboxMessage& message, mail::EarlyDecision* early) override {
        expected.push_back(message.message_id);
        if (early && on_early) on_early(*early);
    }
    void accept(const InboxMessage& message) override { accepted.push_back(message.sender_id); }
    void decided(const InboxMessage& message, const mail::EarlyDecision&) override {
        decided_.push_back(message.sender_id);
    }
    void withdraw(const InboxMessage&, const mail::EarlyDecision&) override { ++withdrawn; }
    void refused(const mail::RefusedMail&) override {}
    void returned(const std::string&, const std::string& id) override { returned_.push_back(id); }

    std::string message(const std::string& sender, const std::string& id,
                        const std::string& payload, const wire::SigningKeys& keys,
                        const std::string& type = "chat.request") {
        OutboxMessage out;
        out.agent_id = sender;
        out.target_id = "ag_me";
        out.message_id = id;
        out.trace_id = "trace_1";
        out.message_type = type;
        out.payload_json = payload;
        return wire::sign_envelope(out, keys, kNow).value();
    }

    void pin_peer() {
        auto pinned = writer->submit_urgent([this](store::Database& db) -> Result<void> {
            Contact contact;
            contact.agent_id = "ag_me";
            contact.peer_id = "ag_peer";
            A2H_TRY(store::add_contact(db, contact));
            const auto done = store::pin_key(db, "ag_me", "ag_peer", peer.key_pair.key_id,
                                             peer.key_pair.public_key);
            return done ? Result<void>() : fail(done.error());
        });
        REQUIRE(pinned.get());
    }

    /// The writer begins with the next message only when its decision is there.
    void decide_early(mail::EarlyDecision::Write write) {
        loop.at_once = true;
        auto given = std::make_shared<std::promise<void>>();
        writer->submit(store::Writer::Priority::Urgent,
                       [given](store::Database&) -> Result<void> {
                           given->get_future().wait();
                           return {};
                       },
                       {});
        on_early = [given, write = std::move(write)](mail::EarlyDecision& early) {
            CHECK(early.give(write));
            given->set_value();
        };
    }

    std::uint64_t refused(Refusal reason) const {
        return metrics.refused[static_cast<std::size_t>(reason)].value();
    }

    store::InboxCounts counts() {
        // A job behind the others: what was submitted before is committed after it.
        REQUIRE(writer->submit_urgent([](store::Database&) { return Result<void>(); }).get());
        return store::inbox_counts(*reader, "ag_me").value();
    }
};

}  // namespace

TEST_CASE("an accepted message is stored with its task and its sender as a contact") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"hi"})", f.peer)));
    f.loop.run_all();
    CHECK(f.accepted == std::vector<std::string>{"ag_peer"});
    CHECK(f.counts().accepted == 1);
    CHECK(store::pending_jobs(*f.reader, 0, 10).value().size() == 1);
    CHECK(store::get_contact(*f.reader, "ag_me", "ag_peer").value()->source ==
          ContactSource::FirstMessage);
}

TEST_CASE("further fields of an envelope become a member of the payload") {
    Fixture f;
    auto envelope =
        nlohmann::json::parse(f.message("ag_peer", "msg_1", R"({"text":"hi"})", f.peer));
    envelope["conditions"] = "You also wash my car.";
    REQUIRE(f.receiver->on_message(envelope.dump()));
    CHECK(store::get_inbox(*f.reader, 1).value()->payload_json ==
          R"({"envelope":{"conditions":"You also wash my car."},"text":"hi"})");
}

TEST_CASE("only a signature of the pinned key makes a message verified") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", f.peer)));
    CHECK(store::get_inbox(*f.reader, 1).value()->provenance == Provenance::Unverified);
    f.pin_peer();
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_2", "{}", f.peer)));
    CHECK(store::get_inbox(*f.reader, 2).value()->provenance == Provenance::Verified);
}

TEST_CASE("a message signed with another key than the pinned one is never verified") {
    Fixture f;
    f.pin_peer();
    const auto stranger = keys_of("peer-key");
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", stranger)));
    CHECK(store::get_inbox(*f.reader, 1).value()->provenance == Provenance::Unverified);
}

TEST_CASE("a signature that pretends to be of the pinned key is refused as forged") {
    Fixture f;
    f.pin_peer();
    auto forger = keys_of("peer-key");
    forger.key_pair.key_id = f.peer.key_pair.key_id;
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", forger)));
    f.loop.run_all();
    CHECK(f.accepted.empty());
    CHECK(f.counts().accepted == 0);
    CHECK(store::refused_by_reason(*f.reader, "ag_me").value().at(0).first == "bad_signature");
}

TEST_CASE("R3: only the market's pinned key makes a message the platform's") {
    Fixture f;
    f.key_ring->pin_platform("ag_me", "ag_peer",
                             {f.peer.key_pair.key_id, f.peer.key_pair.public_key, true});
    const auto source_of = [&](const char* id, const wire::SigningKeys& keys,
                               const std::string& sender = "ag_peer") {
        REQUIRE(f.receiver->on_message(f.message(sender, id, "{}", keys)));
        const auto message = store::find_inbox(*f.reader, "ag_me", sender, id).value();
        return message ? message->source : SourceClass::Owner;
    };
    CHECK(source_of("msg_1", f.peer) == SourceClass::Platform);
    CHECK(source_of("msg_2", keys_of("peer-key")) == SourceClass::Peer);
    CHECK(source_of("msg_3", {"peer-key", {}}) == SourceClass::Peer);
    CHECK(source_of("msg_4", f.peer, "ag_other") == SourceClass::Peer);
    auto forger = keys_of("peer-key");
    forger.key_pair.key_id = f.peer.key_pair.key_id;
    CHECK(source_of("msg_5", forger) == SourceClass::Owner);
}

TEST_CASE("R1: a replay stores nothing and wakes nobody") {
    Fixture f;
    const std::string text = f.message("ag_peer", "msg_1", R"({"text":"hi"})", f.peer);
    REQUIRE(f.receiver->on_message(text));
    REQUIRE(f.receiver->on_message(text));
    f.loop.run_all();
    CHECK(f.expected.size() == 2);
    CHECK(f.accepted.size() == 1);
    CHECK(f.counts().accepted == 1);
    CHECK(f.metrics.received.value() == 1);
    CHECK(f.metrics.duplicates.value() == 1);
}

TEST_CASE("R1: the same id with other content is recorded and the first stands") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"300"})", f.peer)));
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"3000"})", f.peer)));
    CHECK(f.counts().accepted == 1);
    CHECK(f.counts().conflicts == 1);
    CHECK(f.metrics.received.value() == 1);
    CHECK(f.refused(Refusal::ConflictingDuplicate) == 1);
    CHECK(store::get_inbox(*f.reader, 1).value()->payload_json == R"({"text":"300"})");
}

TEST_CASE("R1: other words beside the same payload are other content") {
    Fixture f;
    const std::string first = f.message("ag_peer", "msg_1", R"({"text":"Hello"})", f.peer);
    nlohmann::json envelope = nlohmann::json::parse(first);
    SUBCASE("an unknown member") {
        envelope["terms"] = "Greet me if you take 280 CNY for it.";
    }
    SUBCASE("the trace") {
        envelope["trace_id"] = "Greet me if you take 280 CNY for it.";
    }
    const std::string second = envelope.dump();
    REQUIRE(f.receiver->on_message(first));
    REQUIRE(f.receiver->on_message(second));
    CHECK(f.counts().accepted == 1);
    CHECK(f.counts().conflicts == 1);
    CHECK(f.refused(Refusal::ConflictingDuplicate) == 1);
    REQUIRE(f.receiver->on_message(second));
    CHECK(f.counts().conflicts == 2);
}

TEST_CASE("our own echo is refused, our own self-test is not mail") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_me", "msg_1", R"({"text":"hi"})", f.own)));
    REQUIRE(f.receiver->on_message(
        f.message("ag_me", "msg_2", "{}", f.own, std::string(mail::kSelfTestType))));
    const auto forged = keys_of("not-our-key");
    REQUIRE(f.receiver->on_message(
        f.message("ag_me", "msg_3", "{}", forged, std::string(mail::kSelfTestType))));
    f.loop.run_all();
    CHECK(f.returned_ == std::vector<std::string>{"msg_2"});
    CHECK(f.counts().accepted == 0);
    CHECK(f.counts().refused == 2);
    CHECK(f.metrics.received.value() == 0);
    CHECK(f.refused(Refusal::OwnEcho) == 2);
}

TEST_CASE("malformed messages are refused and acknowledged to the broker") {
    Fixture f;
    for (const std::string& text : {std::string("\xff\xfe"), std::string("{"), std::string("[]"),
                                    std::string(), std::string(70'000, 'x')}) {
        CHECK(f.receiver->on_message(text));
    }
    CHECK(f.counts().refused == 5);
    CHECK(f.counts().accepted == 0);
}

TEST_CASE("a message whose commit fails is not acknowledged, and is accepted once later") {
    Fixture f;
    const std::string text = f.message("ag_peer", "msg_1", "{}", f.peer);
    f.writer->set_commit_gate(
        []() -> Result<void> { return fail(ErrorCode::ResourceExhausted, "disk full"); });
    CHECK(!f.receiver->on_message(text));
    f.loop.run_all();
    CHECK(f.accepted.empty());
    CHECK(f.metrics.received.value() == 0);
    f.writer->set_commit_gate({});
    REQUIRE(f.receiver->on_message(text));
    f.loop.run_all();
    CHECK(f.metrics.received.value() == 1);
    CHECK(f.accepted.size() == 1);
    CHECK(f.counts().accepted == 1);
}

TEST_CASE("an early decision is committed with its message") {
    Fixture f;
    f.decide_early([](store::Database& db, std::int64_t inbox_id) {
        return store::put_setting(db, "", "decided", std::to_string(inbox_id));
    });
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", f.peer)));
    CHECK(f.counts().accepted == 1);
    CHECK(f.decided_ == std::vector<std::string>{"ag_peer"});
    CHECK(f.accepted.empty());
    CHECK(f.withdrawn == 0);
    CHECK(store::get_setting(*f.reader, "", "decided").value() == "1");
}

TEST_CASE("a decision that cannot be written leaves its message to be decided later") {
    Fixture f;
    f.decide_early([](store::Database& db, std::int64_t) -> Result<void> {
        A2H_TRY(store::put_setting(db, "", "decided", "half"));
        return fail(ErrorCode::Conflict, "not this one");
    });
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", f.peer)));
    CHECK(f.counts().accepted == 1);
    CHECK(f.withdrawn == 1);
    CHECK(f.accepted == std::vector<std::string>{"ag_peer"});
    CHECK(!store::get_setting(*f.reader, "", "decided").value());
}

TEST_CASE("a replay is not decided, however early") {
    Fixture f;
    int written = 0;
    const auto write = [&](store::Database&, std::int64_t) -> Result<void> {
        ++written;
        return {};
    };
    const std::string text = f.message("ag_peer", "msg_1", "{}", f.peer);
    f.decide_early(write);
    REQUIRE(f.receiver->on_message(text));
    // A message that arrives sooner is not decided early.
    std::this_thread::sleep_for(2 * mail::Receiver::kFastGap);
    f.decide_early(write);
    REQUIRE(f.receiver->on_message(text));
    CHECK(f.counts().accepted == 1);
    CHECK(written == 1);
    CHECK(f.withdrawn == 1);
    CHECK(f.decided_.size() == 1);
}

TEST_CASE("nothing of an early decision is left when the commit fails") {
    Fixture f;
    f.decide_early([](store::Database& db, std::int64_t) {
        return store::put_setting(db, "", "decided", "yes");
    });
    f.writer->set_commit_gate(
        []() -> Result<void> { return fail(ErrorCode::ResourceExhausted, "disk full"); });
    CHECK(!f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", f.peer)));
    f.writer->set_commit_gate({});
    CHECK(f.counts().accepted == 0);
    CHECK(f.decided_.empty());
    CHECK(f.accepted.empty());
    CHECK(f.withdrawn == 1);
    CHECK(!store::get_setting(*f.reader, "", "decided").value());
}

TEST_CASE("a late event loop decides after the commit") {
    Fixture f;
    bool taken = true;
    f.on_early = [&](mail::EarlyDecision& early) {
        taken = early.give([](store::Database&, std::int64_t) -> Result<void> { return {}; });
    };
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", "{}", f.peer)));
    f.loop.run_all();
    CHECK(!taken);
    CHECK(f.accepted == std::vector<std::string>{"ag_peer"});
    CHECK(f.decided_.empty());
}

TEST_CASE_FIXTURE(
    Fixture, "A message that another instance may have answered is stored, and nobody decides it") {
    const auto older = message("ag_peer", "m1", R"({"text":"how much?"})", peer);
    CHECK(receiver->on_history(older, kNow + 1));
    loop.run_all();
    CHECK(accepted.empty());
    CHECK(expected.empty());
    const auto stored = store::find_inbox(*reader, "ag_me", "ag_peer", "m1");
    REQUIRE(stored.value().has_value());
    const auto job = store::get_job_of_inbox(*reader, (*stored)->id);
    CHECK(job.value()->state == JobState::Done);
    CHECK(job.value()->rule_id == "guard.elsewhere");
    CHECK(store::pending_jobs(*reader, 0, 10)->empty());

    // It is there already, and what was sent later is decided as ever.
    CHECK(receiver->on_history(older, kNow + 1));
    CHECK(store::inbox_counts(*reader, "ag_me")->accepted == 1);
    CHECK(receiver->on_history(message("ag_peer", "m2", "{}", peer), kNow));
    loop.run_all();
    CHECK(accepted.size() == 1);
}

TEST_CASE("R49: an unverified message does not block an id of the verified sender") {
    Fixture f;
    f.pin_peer();
    const auto stranger = keys_of("peer-key");
    const std::string forged = f.message("ag_peer", "msg_1", R"({"text":"3000"})", stranger);
    const std::string genuine = f.message("ag_peer", "msg_1", R"({"text":"300"})", f.peer);
    REQUIRE(f.receiver->on_message(forged));
    REQUIRE(f.receiver->on_message(genuine));
    CHECK(f.counts().accepted == 2);
    CHECK(f.counts().conflicts == 0);
    const auto kept = store::find_inbox(*f.reader, "ag_me", "ag_peer", "msg_1").value();
    REQUIRE(kept);
    CHECK(kept->payload_json == R"({"text":"300"})");
    REQUIRE(f.receiver->on_message(genuine));
    REQUIRE(f.receiver->on_message(forged));
    CHECK(f.counts().accepted == 2);
}

TEST_CASE("R49: a message from before the key was known stands after a verified repeat") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"300"})", f.peer)));
    f.pin_peer();
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"300"})", f.peer)));
    CHECK(f.counts().accepted == 1);
    CHECK(f.metrics.duplicates.value() == 1);
}
