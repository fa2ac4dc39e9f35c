// Messages to an agent that was disconnected while its broker lost its state.

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <utility>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "tests/integration/daemon/scene.h"
#include "tests/integration/daemon/strangers.h"
#include "tests/integration/hostile/peer.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE("a first message from before the first start is fetched, once") {
    Strangers s;
    s.buyer_says("Good morning!");
    s.up();
    CHECK(eventually([&] { return s.texts() == s.said; }));
    const json status = s.seller->status();
    CHECK(status["history"]["fetched"] == 1);
    CHECK(status["history"]["everybody"] == true);
    CHECK(status["connection"]["session_lost"] == 0);

    s.seller->stop();
    s.seller->start();
    REQUIRE(s.has_asked());
    CHECK(s.texts() == s.said);
    CHECK(s.seller->status()["history"]["fetched"] == 0);
    CHECK(s.events_of_loss().empty());
}

TEST_CASE("a first message from between a backup and its restore is fetched, once") {
    Strangers s;
    s.up();
    const std::string backup = (s.dir.path() / "backup").string();
    const Ran saved = s.seller->a2h({"backup", backup});
    REQUIRE_MESSAGE(saved.status == 0, saved.err);
    s.buyer_says("Good morning!");
    REQUIRE(eventually([&] { return s.texts() == s.said; }));

    s.seller->stop();
    const Ran restored = s.seller->a2h({"restore", backup});
    REQUIRE_MESSAGE(restored.status == 0, restored.err);
    s.seller->start();
    CHECK(eventually([&] { return s.texts() == s.said; }, std::chrono::seconds(20)));
    CHECK(eventually([&] { return s.seller->status()["history"]["fetched"] == 1; }));
    const Ran shown = s.seller->a2h({"status"});
    CHECK_MESSAGE(shown.out.find("1 fetched from the market's history") != std::string::npos,
                  shown.out);
}

TEST_CASE("R45: a refused message that only the market's history has counts, once") {
    Strangers s;
    json envelope{{"protocol", "a2hmarket-a2a"},
                  {"schema_version", "2.0.0"},
                  {"message_id", "msg_1"},
                  {"sender_id", s.buyer_account.agent_id},
                  {"target_id", s.seller_account.agent_id},
                  {"payload", {{"text", "I withdraw my offer."}}}};
    const wire::SigningKeys& keys = s.buyer_account.keys;
    envelope["sender_signature"] =
        wire::ed25519_sign(keys.key_pair.secret_key, wire::canonical_json(envelope)).value();
    ScriptedHttp market([&](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        const bool is_asked = request.head.starts_with("GET /v1/messages?");
        relay_to(s.market, peer, request, [&](std::string& body) {
            if (!is_asked) return;
            json answer = json::parse(body);
            json& data = answer.contains("data") ? answer["data"] : answer;
            data["items"].push_back({{"envelope", envelope.dump()}});
            body = answer.dump();
        });
    });
    s.up("http://127.0.0.1:" + std::to_string(market.port()));
    CHECK(eventually([&] { return s.seller->status()["counts"]["refused"] == 1; }));
    CHECK(eventually([&] { return s.seller->status()["history"]["fetched"] == 1; }));
    s.seller->stop();
    s.seller->start();
    REQUIRE(s.has_asked());
    CHECK(s.seller->status()["history"]["fetched"] == 0);
}

TEST_CASE("R1: a message under a used id counts after a restore, once") {
    Strangers s;
    s.up();
    const std::string backup = (s.dir.path() / "backup").string();
    REQUIRE(s.seller->a2h({"backup", backup}).status == 0);
    Guest third(s.market, s.market.register_agent("third"));
    const std::string id = new_message_id(SystemClock().now_ms());
    for (const char* text : {"Good morning!", "280 CNY. If you greet me, that is a yes."}) {
        third.publish(s.seller_account.agent_id,
                      signed_message(s.buyer_account, s.seller_account.agent_id, {text, id}));
    }
    const auto counts = [&](const char* what) { return s.seller->status()["counts"][what]; };
    REQUIRE(eventually([&] { return counts("conflicts") == 1 && counts("received") == 1; }));
    auto market = s.market.client(s.seller_account);
    REQUIRE(eventually([&] {
        const auto page = market.fetch_incoming(0, 10);
        return page && page->envelopes.size() == 2;
    }));

    s.seller->stop();
    REQUIRE(s.seller->a2h({"restore", backup}).status == 0);
    s.seller->start();
    REQUIRE(eventually([&] { return counts("conflicts") == 1 && counts("received") == 1; }));
    s.seller->stop();
    s.seller->start();
    REQUIRE(s.has_asked());
    CHECK(s.seller->status()["history"]["fetched"] == 0);
    CHECK(counts("conflicts") == 1);
}

TEST_CASE("after the loss of its database an agent asks and answers nothing a second time") {
    Strangers s;
    s.up();
    s.buyer_says("Would you take 250 CNY?");
    const auto asked = [&] {
        return s.seller->call_human("approval.list")["data"]["approvals"].size();
    };
    REQUIRE(eventually([&] { return asked() == 1; }));
    const long answers = in_history(s.seller_account, s.buyer_account);
    s.seller->stop();
    for (const char* name : {"a2hd.db", "a2hd.db-wal", "a2hd.db-shm"})
        std::filesystem::remove(s.seller->home() / name);
    s.seller->start();
    REQUIRE(eventually([&] { return s.texts() == s.said; }, std::chrono::seconds(20)));
    REQUIRE(eventually([&] { return s.seller->status()["backlog"]["undecided"] == 0; }));
    CHECK(asked() == 0);
    CHECK(in_history(s.seller_account, s.buyer_account) == answers);
    CHECK(s.has_problem("database.new"));
}

TEST_CASE("a session that was lost between two processes is noticed and fetched once") {
    Strangers s;
    s.up();
    s.seller->stop();
    s.buyer_says("Are you open on Sunday?");
    s.broker_forgets();
    s.seller->start();
    CHECK(eventually([&] { return s.texts() == s.said; }, std::chrono::seconds(20)));
    REQUIRE(eventually([&] { return s.events_of_loss().size() == 1; }));
    CHECK(s.events_of_loss()[0]["detail"] == json{{"everybody", true}, {"fetched", 1}});
    CHECK(s.seller->status()["connection"]["session_lost"] == 1);
    CHECK(eventually([&] { return !s.has_problem("history.owed"); }));
    CHECK_FALSE(s.has_problem("history.partial"));
    CHECK(s.seller->a2h({"status"}).out.find("sessions lost by the broker: 1") !=
          std::string::npos);
    CHECK(s.seller->a2h({"doctor"}).out.find("sessions lost: 1") != std::string::npos);
    CHECK(s.seller->log().find("The broker had lost the session") != std::string::npos);

    s.seller->stop();
    s.seller->start();
    REQUIRE(s.has_asked());
    CHECK(s.seller->status()["connection"]["session_lost"] == 0);
    CHECK(s.texts() == s.said);
}

TEST_CASE("death between messages of the history and their place loses and doubles nothing") {
    Strangers s;
    s.up();
    const std::pair<std::string, std::array<const char*, 3>> kSteps[] = {
        {"history.1", {"Good morning!", "Are you open on Sunday?", "Is there parking?"}},
        {"history.2", {"Good evening!", "Are you open on Monday?", "Is there a lift?"}}};
    for (const auto& [step, texts] : kSteps) {
        CAPTURE(step);
        s.seller->stop();
        for (const char* text : texts)
            s.buyer_says(text);
        s.broker_forgets();
        Process dying({.argv = {A2H_BIN_DIR "/a2hd", "--home", s.seller->home().string()},
                       .environment = {{"A2H_FAULT_POINT", step + ":1"}},
                       .stdout_file = s.dir.path() / "a2hd.out",
                       .stderr_file = s.dir.path() / "a2hd.log",
                       .pipe_stdin = false});
        REQUIRE_MESSAGE(dying.wait(kSlowdown * std::chrono::seconds(20)), "it never came there");
        s.seller->start();
        REQUIRE(s.has_asked());
        CHECK(s.texts() == s.said);
    }
}

TEST_CASE("a lost session is reported once, even if a2hd is killed before it has reported it") {
    Strangers s;
    s.up();
    s.seller->stop();
    s.buyer_says("Are you open on Sunday?");
    s.broker_forgets();
    Process dying({.argv = {A2H_BIN_DIR "/a2hd", "--home", s.seller->home().string()},
                   .environment = {{"A2H_FAULT_POINT", "history.1:1"}},
                   .stdout_file = s.dir.path() / "a2hd.out",
                   .stderr_file = s.dir.path() / "a2hd.log",
                   .pipe_stdin = false});
    REQUIRE_MESSAGE(dying.wait(kSlowdown * std::chrono::seconds(20)), "it never came there");
    s.seller->start();
    // The broker has a session again, and does not say that it had lost one.
    CHECK(eventually([&] { return s.events_of_loss().size() == 1; }, std::chrono::seconds(20)));
    CHECK(s.seller->status()["connection"]["session_lost"] == 0);
    s.seller->stop();
    s.seller->start();
    REQUIRE(s.has_asked());
    CHECK(s.events_of_loss().size() == 1);
}

TEST_CASE("if the market lists known peers only, mail of others is reported as missing") {
    Strangers s;
    ScriptedHttp other_market([&](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        if (request.head.starts_with("GET /v1/messages?")) {
            peer.answer(404, R"({"code":"404","message":"no such path"})");
        } else {
            relay_to(s.market, peer, request);
        }
    });
    s.up("http://127.0.0.1:" + std::to_string(other_market.port()));
    s.buyer_says("Good morning!");
    REQUIRE(eventually([&] { return s.texts().size() == 1; }));
    CHECK_FALSE(s.has_problem("history.partial"));
    s.seller->stop();
    s.buyer_says("Are you open on Sunday?");
    s.broker_forgets();
    s.seller->start();
    CHECK(eventually([&] { return s.texts() == s.said; }, std::chrono::seconds(20)));
    CHECK(eventually([&] { return s.has_problem("history.partial"); }));
    REQUIRE(eventually([&] { return s.events_of_loss().size() == 1; }));
    CHECK(s.events_of_loss()[0]["detail"] == json{{"everybody", false}, {"fetched", 1}});
    const json told = s.seller->call_human("notify.list")["data"]["items"];
    CHECK(std::count_if(told.begin(), told.end(), [](const json& row) {
              return row["kind"] == "listening.session_lost";
          }) == 1);
    const Ran doctor = s.seller->a2h({"doctor"});
    CHECK(doctor.status == 3);
    CHECK(doctor.out.find("mail of others may be missing") != std::string::npos);
}

TEST_CASE("a2hd fetches from the market's history what its broker lost, once") {
    Scene scene;
    const std::string& buyer = scene.buyer_account.agent_id;
    REQUIRE(relay_is(scene.market, "connected"));
    scene.buyer_says("Good morning!");
    REQUIRE(eventually([&] { return texts_from(scene.seller, buyer).size() == 1; }));
    scene.seller.stop();
    scene.buyer_says("Are you open on Sunday?");
    scene.buyer_says("And is there parking?");
    REQUIRE(eventually([&] { return in_history(scene.buyer_account, scene.seller_account) == 3; }));
    scene.market.stop_broker();
    std::filesystem::remove(scene.market.dir() / "broker.db");
    scene.market.start_broker();

    scene.seller.start();
    const std::multiset<std::string> all{"Good morning!", "Are you open on Sunday?",
                                         "And is there parking?"};
    CHECK(eventually([&] { return texts_from(scene.seller, buyer) == all; },
                     std::chrono::seconds(20)));
    // It queries again after the next connection, and every message is there already.
    scene.seller.stop();
    scene.seller.start();
    REQUIRE(scene.seller.connected());
    scene.buyer_says("Thank you.");
    CHECK(eventually([&] { return texts_from(scene.seller, buyer).size() == 4; }));
    CHECK(texts_from(scene.seller, buyer).count("Are you open on Sunday?") == 1);
}
