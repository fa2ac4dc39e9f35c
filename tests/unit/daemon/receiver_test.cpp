#include "daemon/pipeline/receiver.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/task_store.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

/// Runs what is posted when the test asks for it.
class QueuePoster final : public Poster {
  public:
    void post(std::function<void()> task) override {
        tasks_.with([&](auto& tasks) { tasks.push_back(std::move(task)); });
    }
    void run_all() {
        auto tasks = tasks_.with([](auto& waiting) { return std::exchange(waiting, {}); });
        for (auto& task : tasks)
            task();
    }

  private:
    Guarded<std::vector<std::function<void()>>> tasks_;
};

wire::SigningKeys keys_of(const std::string& agent_key) {
    return {agent_key, wire::new_key_pair()};
}

/// A receiver of ag_me on a real database in a folder of its own.
struct Fixture {
    test::TempDir dir;
    ManualClock clock{kNow};
    QueuePoster loop;
    std::unique_ptr<store::Database> reader;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<pipeline::KeyRing> key_ring;
    std::vector<std::string> expected;
    std::vector<std::string> accepted;
    std::vector<std::string> returned;
    wire::SigningKeys own = keys_of("own-key");
    wire::SigningKeys peer = keys_of("peer-key");
    std::unique_ptr<pipeline::Receiver> receiver;

    Fixture() {
        using store::Database;
        const auto file = dir.path() / "a2hd.db";
        writer = std::make_unique<store::Writer>(
            Database::open(file, Database::Mode::ReadWrite).value());
        reader = Database::open(file, Database::Mode::ReadOnly).value();
        key_ring = std::make_unique<pipeline::KeyRing>(
            Database::open(file, Database::Mode::ReadOnly).value());
        receiver = std::make_unique<pipeline::Receiver>(
            "ag_me", own, clock, *writer, loop, *key_ring,
            pipeline::Receiver::Events{
                .expected =
                    [this](const InboxMessage& message) { expected.push_back(message.message_id); },
                .accepted =
                    [this](const InboxMessage& message) { accepted.push_back(message.sender_id); },
                .self_test_returned = [this](const std::string& id) { returned.push_back(id); }});
    }

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
    CHECK(store::pending_tasks(*f.reader, 0, 10).value().size() == 1);
    CHECK(store::get_contact(*f.reader, "ag_me", "ag_peer").value()->source ==
          ContactSource::FirstMessage);
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
}

TEST_CASE("R1: the same id with other content is recorded and the first stands") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"300"})", f.peer)));
    REQUIRE(f.receiver->on_message(f.message("ag_peer", "msg_1", R"({"text":"3000"})", f.peer)));
    CHECK(f.counts().accepted == 1);
    CHECK(f.counts().conflicts == 1);
    CHECK(store::get_inbox(*f.reader, 1).value()->payload_json == R"({"text":"300"})");
}

TEST_CASE("our own echo is refused, our own self-test is not mail") {
    Fixture f;
    REQUIRE(f.receiver->on_message(f.message("ag_me", "msg_1", R"({"text":"hi"})", f.own)));
    REQUIRE(f.receiver->on_message(
        f.message("ag_me", "msg_2", "{}", f.own, std::string(pipeline::kSelfTestType))));
    const auto forged = keys_of("not-our-key");
    REQUIRE(f.receiver->on_message(
        f.message("ag_me", "msg_3", "{}", forged, std::string(pipeline::kSelfTestType))));
    f.loop.run_all();
    CHECK(f.returned == std::vector<std::string>{"msg_2"});
    CHECK(f.counts().accepted == 0);
    CHECK(f.counts().refused == 2);
}

TEST_CASE("rubbish is refused for good, so that the broker may forget it") {
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
    f.writer->set_commit_gate({});
    REQUIRE(f.receiver->on_message(text));
    f.loop.run_all();
    CHECK(f.accepted.size() == 1);
    CHECK(f.counts().accepted == 1);
}
