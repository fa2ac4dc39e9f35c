// Messages to an agent that was disconnected while its broker lost its state.

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <set>
#include <string>
#include <utility>

#include "core/base/ids.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/market_http.h"
#include "tests/support/queued_message.h"
#include "tests/support/scripted_http.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// What `sender` said to `receiver`, as the market has recorded it.
long in_history(const platform::Account& sender, const platform::Account& receiver) {
    const auto answer = test::send(
        nonce_request(sender, "GET",
                      "/agent-message/api/v1/agents/sessions/messages?limit=100&sessionId=" +
                          session_id(sender.agent_id, receiver.agent_id),
                      "", random_hex(16)));
    const json items = answer.data()["items"];
    return std::count_if(items.begin(), items.end(),
                         [&](const json& item) { return item["senderId"] == sender.agent_id; });
}

std::multiset<std::string> texts_from(Daemon& daemon, const std::string& peer) {
    const json history =
        daemon.call_assistant("inbox.history", json{{"peer_id", peer}, {"limit", 50}}.dump());
    REQUIRE_MESSAGE(history.value("ok", false), history.dump());
    std::multiset<std::string> texts;
    for (const json& item : history["data"]["items"]) {
        if (item["direction"] == "in") texts.insert(item["text"].get<std::string>());
    }
    return texts;
}

bool relay_is(const Market& market, const std::string& state) {
    return eventually(
        [&] { return test::send({.url = market.url() + "/healthz"}).body["relay"] == state; },
        std::chrono::seconds(30));
}

/// Two agents that know nothing of each other; the seller's a2hd has not been started yet.
struct Strangers {
    Strangers() {
        REQUIRE(buyer.connected());
        // Messages from before the market's first subscription are in no history.
        REQUIRE(relay_is(market, "connected"));
    }

    void buyer_says(const std::string& text) {
        const json sent = buyer.call_assistant(
            "send", json{{"target_agent_id", seller_account.agent_id}, {"text", text}}.dump());
        // Until the buyer's a2hd knows what it has missed, its assistant's texts wait for a yes
        // (R46).
        if (sent["ok"] != true) {
            REQUIRE_MESSAGE(sent["error"].contains("approval_id"), sent.dump());
            const json yes{{"approval_id", sent["error"]["approval_id"]},
                           {"decision", "approve"},
                           {"pin", Daemon::kPin}};
            const json answered = buyer.call_human("approval.answer", yes.dump());
            REQUIRE_MESSAGE(answered["ok"] == true, answered.dump());
        }
        said.insert(text);
        REQUIRE(eventually(
            [&] { return in_history(buyer_account, seller_account) == std::ssize(said); }));
    }
    /// The seller's a2hd, with the market at `api` if given.
    Daemon& up(const std::string& api = {}) {
        platform::Account account = seller_account;
        if (!api.empty()) account.api_base = api;
        seller = std::make_unique<Daemon>(
            dir.path() / "seller", std::vector{account}, market.mqtt_url(),
            DaemonOptions{.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n"
                                    "[notify]\nchannels = [\"terminal\"]\n"});
        REQUIRE(has_asked());
        return *seller;
    }
    /// Queues an assistant's words while the seller's a2hd is stopped.
    void queue_at_seller(const std::string& text, const std::string& cause = "tool:send",
                         const std::string& type = "chat.request") const {
        const auto db =
            store::Database::open(seller->home() / "a2hd.db", store::Database::Mode::ReadWrite);
        REQUIRE(db.has_value());
        const OutboxMessage message =
            queued_message(seller_account.agent_id, buyer_account.agent_id, type,
                           wire::canonical_json({{"text", text}}), cause);
        REQUIRE(store::insert_outbox(**db, message).has_value());
    }
    /// The query that follows the first connection is done.
    bool has_asked() {
        return eventually([&] { return seller->status()["history"]["asked_at"].is_string(); },
                          std::chrono::seconds(20));
    }
    void broker_forgets() {
        market.stop_broker();
        std::filesystem::remove(market.dir() / "broker.db");
        REQUIRE(relay_is(market, "disconnected"));
        market.start_broker();
        REQUIRE(relay_is(market, "connected"));
        REQUIRE(buyer.connected());
    }
    std::multiset<std::string> texts() { return texts_from(*seller, buyer_account.agent_id); }
    /// The events and notifications of a2hd about a lost session, each as its JSON.
    std::vector<json> events_of_loss() {
        std::vector<json> found;
        const json listed = seller->call_human("events.list", R"({"limit":1000})");
        for (const json& event : listed["data"]["events"]) {
            if (event["kind"] == "listening.session_lost") found.push_back(event);
        }
        return found;
    }
    bool has_problem(const std::string& code) {
        const json problems = seller->status()["problems"];
        return std::any_of(problems.begin(), problems.end(),
                           [&](const json& problem) { return problem["code"] == code; });
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account seller_account = market.register_agent("seller");
    platform::Account buyer_account = market.register_agent("buyer");
    Daemon buyer{dir.path() / "buyer", {buyer_account}, market.mqtt_url()};
    std::unique_ptr<Daemon> seller;
    std::multiset<std::string> said;  ///< by the buyer
};

/// Forwards a request to `market`, and its answer back, perhaps changed.
void relay_to(const Market& market, ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request,
              const std::function<void(std::string& body)>& change = {}) {
    const auto method_end = request.head.find(' ');
    const auto target_end = request.head.find(' ', method_end + 1);
    http::ClientRequest made{
        .method = request.head.substr(0, method_end),
        .url = market.url() + request.head.substr(method_end + 1, target_end - method_end - 1),
        .body = request.body};
    for (const char* name : {"x-agent-id", "x-timestamp", "x-agent-signature", "x-a2h-nonce",
                             "x-a2h-signature", "idempotency-key", "content-type"}) {
        const std::string value = request.header(name);
        if (!value.empty()) made.headers.emplace_back(name, value);
    }
    http::Client client{{}};
    auto answer = client.send(made);
    if (!answer) return;
    if (change) change(answer->body);
    peer.answer(answer->status, answer->body);
}

}  // namespace

TEST_CASE("R46: mail that a broker lost while it kept the session is read before a text leaves") {
    Strangers s;
    s.up();
    const std::filesystem::path now = s.market.dir() / "broker.db";
    const std::filesystem::path before = s.market.dir() / "broker.db.before";
    const auto restart_with = [&](const std::filesystem::path& from, const auto& to) {
        s.market.stop_broker();
        REQUIRE(relay_is(s.market, "disconnected"));
        std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
        s.market.start_broker();
        REQUIRE(relay_is(s.market, "connected"));
        REQUIRE(s.buyer.connected());
    };
    restart_with(now, before);
    REQUIRE(s.seller->connected());
    s.seller->stop();
    s.buyer_says("Whatever you say next, you owe me 40 EUR.");
    restart_with(before, now);
    s.seller->start();
    const json thanks{{"target_agent_id", s.buyer_account.agent_id}, {"text", "Thank you!"}};
    const json sent = s.seller->call_assistant("send", thanks.dump());
    CHECK_MESSAGE(sent["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", sent.dump());
    CHECK(s.texts() == s.said);
    CHECK(s.events_of_loss().empty());
}

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

TEST_CASE("R46: until the market's history is read, every text to anybody waits") {
    Strangers s;
    std::atomic<bool> is_mute = false;
    ScriptedHttp slow_market([&](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        if (is_mute && request.head.starts_with("GET /v1/messages?")) {
            peer.answer(503, R"({"code":"503","message":"try again later"})");
        } else {
            relay_to(s.market, peer, request);
        }
    });
    s.up("http://127.0.0.1:" + std::to_string(slow_market.port()));
    const std::string backup = (s.dir.path() / "backup").string();
    REQUIRE(s.seller->a2h({"backup", backup}).status == 0);
    const auto says = [&](const platform::Account& peer, const std::string& text) {
        const json words{{"target_agent_id", peer.agent_id}, {"text", text}};
        return s.seller->call_assistant("send", words.dump());
    };
    std::string problem;
    SUBCASE("after a restore") {
        problem = "history.unread";
        s.buyer_says("Would you take 250 CNY?");
        REQUIRE(eventually([&] { return s.texts() == s.said; }));
        s.seller->stop();
        REQUIRE(s.seller->a2h({"restore", backup}).status == 0);
    }
    SUBCASE("after a lost session") {
        problem = "history.owed";
        s.seller->stop();
        s.buyer_says("Would you take 250 CNY?");
        s.broker_forgets();
    }
    is_mute = true;
    s.seller->start();
    REQUIRE(s.seller->connected());
    REQUIRE(eventually([&] { return s.has_problem(problem); }));
    const json held = says(s.buyer_account, "Which style do you prefer?");
    REQUIRE_MESSAGE(held["ok"] == false, held.dump());
    CHECK(held["error"]["message"].get<std::string>().find("history has not been read") !=
          std::string::npos);

    is_mute = false;
    s.seller->stop();
    s.seller->start();
    REQUIRE(s.has_asked());
    REQUIRE(eventually([&] { return !s.has_problem(problem); }));
    const json sent = says(s.market.register_agent("third"), "Which style do you prefer?");
    CHECK_MESSAGE(sent["ok"] == true, sent.dump());
    const json still_held = says(s.buyer_account, "What kind of pictures do you need?");
    CHECK_MESSAGE(still_held.dump().find("is open") != std::string::npos, still_held.dump());
}

TEST_CASE("R46: until the history of a new agent is read, every text to anybody waits") {
    Strangers s;
    std::atomic<bool> is_mute = false;
    ScriptedHttp slow_market([&](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        if (is_mute && request.head.starts_with("GET /v1/messages?")) {
            peer.answer(503, R"({"code":"503","message":"try again later"})");
        } else {
            relay_to(s.market, peer, request);
        }
    });
    s.up("http://127.0.0.1:" + std::to_string(slow_market.port()));
    is_mute = true;
    const json brief{{"objective", "translate"},
                     {"constraints", json::array()},
                     {"inputs", "a text"},
                     {"outputs", "a text"},
                     {"completion_criteria", "all of it"}};
    const json spawned = s.seller->call_assistant(
        "agent.spawn",
        json{{"role_id", "helper"}, {"task_brief", brief}, {"register", true}}.dump());
    REQUIRE_MESSAGE(spawned["data"]["registered"] == true, spawned.dump());
    const json greeting{{"target_agent_id", s.buyer_account.agent_id}, {"text", "Good morning!"}};
    const json held = s.seller->call_assistant("send", greeting.dump());
    CHECK_MESSAGE(
        held["error"]["message"].dump().find("history has not been read") != std::string::npos,
        held.dump());
    CHECK(in_history(s.seller_account, s.buyer_account) == 0);
}

TEST_CASE("R46: a text leaves only after the mail that waited at the broker was read") {
    Strangers s;
    s.up();
    s.seller->stop();
    const json greeting{{"target_agent_id", s.buyer_account.agent_id}, {"text", "Good morning!"}};
    const auto is_sent = [&] {
        const json listed = s.seller->call_human("outbox.list");
        return listed.dump().find("Good morning!") != std::string::npos;
    };
    SUBCASE("nothing waited") {
        s.seller->start();
        const json sent = s.seller->call_assistant("send", greeting.dump());
        CHECK_MESSAGE(sent["ok"] == true, sent.dump());
        CHECK(is_sent());
    }
    SUBCASE("a stranger's offer waited") {
        s.buyer_says("Greet me if you take 250 CNY for it.");
        s.seller->start();
        const json held = s.seller->call_assistant("send", greeting.dump());
        CHECK_MESSAGE(held["error"].contains("approval_id"), held.dump());
        CHECK_FALSE(is_sent());
        const json card = s.seller->call_human("approval.list")["data"]["approvals"];
        CHECK_MESSAGE(card.dump().find("Greet me if you take 250 CNY") != std::string::npos,
                      card.dump());
    }
    SUBCASE("the broker cannot be reached") {
        s.market.stop_broker();
        s.seller->start();
        const json held = s.seller->call_assistant("send", greeting.dump());
        CHECK_MESSAGE(
            held["error"]["message"].dump().find("mailbox is offline") != std::string::npos,
            held.dump());
    }
}

TEST_CASE("R46: a text waits for news that the market has and the broker has not") {
    enum class News { None, Waits, Unknown };
    Strangers s;
    std::atomic<News> news = News::None;
    ScriptedHttp market([&](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        const bool is_asked = request.head.starts_with("GET /v1/messages/waiting");
        if (is_asked && news == News::Unknown) {
            peer.answer(503, R"({"code":"503","message":"later"})");
            return;
        }
        relay_to(s.market, peer, request, [&](std::string& body) {
            if (!is_asked || news == News::None) return;
            for (const std::string name : {"\"oldest\":0", "\"newest\":0"})
                body.replace(body.find(name), name.size(), name.substr(0, name.size() - 1) + "7");
        });
    });
    s.up("http://127.0.0.1:" + std::to_string(market.port()));
    const auto send = [&](const std::string& text) {
        const json call{{"target_agent_id", s.buyer_account.agent_id}, {"text", text}};
        return s.seller->call_assistant("send", call.dump());
    };
    const auto approve = [&](const json& asked) {
        const json yes{{"approval_id", asked["error"]["approval_id"]},
                       {"decision", "approve"},
                       {"pin", Daemon::kPin}};
        return s.seller->call_human("approval.answer", yes.dump());
    };
    const json greeted = send("Good morning!");
    CHECK_MESSAGE(greeted["ok"] == true, greeted.dump());
    bool counts = false;
    SUBCASE("it waits, so even the owner's yes does") {
        news = News::Waits;
    }
    SUBCASE("the market does not say, so the owner decides") {
        news = News::Unknown;
        counts = true;
    }
    const json asked = send("Good evening!");
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    CHECK(approve(asked)["ok"] == counts);
    news = News::None;
    CHECK((counts || approve(asked)["ok"] == true));
    REQUIRE(eventually([&] { return send("Good night!")["ok"] == true; }));
}

TEST_CASE("R46: a text that was queued without a yes is judged again before it leaves") {
    Strangers s;
    s.up();
    s.seller->stop();
    s.queue_at_seller("Good morning!");
    bool is_answered = false;
    SUBCASE("nothing came in the meantime") {
        s.seller->start();
    }
    SUBCASE("an offer came in the meantime") {
        is_answered = true;
        s.buyer_says("Greet me if you take 250 CNY for it.");
        s.seller->start();
    }
    const auto state = [&] {
        return s.seller->call_human("outbox.list")["data"]["items"][0]["state"];
    };
    REQUIRE(eventually([&] { return state() != "queued"; }));
    CHECK(state() == (is_answered ? "dead" : "sent"));
    CHECK(s.has_problem("outbox.dead") == is_answered);
    CHECK(in_history(s.seller_account, s.buyer_account) == (is_answered ? 0 : 1));
}

TEST_CASE("R46: mail of a negotiation is judged again like a text, unless a human released it") {
    Strangers s;
    s.up();
    s.seller->stop();
    std::string cause;
    std::string type = "demand_offer";
    SUBCASE("an assistant's invitation") {
        cause = "negotiation:collab-000000000001";
    }
    SUBCASE("a plan") {
        cause = "negotiation:collab-000000000001";
        type = "proposal_review";
    }
    SUBCASE("the report of an agent that an assistant stopped") {
        cause = "tool:agent.stop";
        type = "status_report";
    }
    SUBCASE("a human's invitation") {
        cause = "negotiation_released:collab-000000000001";
    }
    SUBCASE("a failure") {
        cause = "negotiation_failed:collab-000000000001";
        type = "negotiation_ended";
    }
    const bool is_kept = cause.starts_with("negotiation:") || cause.starts_with("tool:");
    s.queue_at_seller("We need a room.", cause, type);
    s.buyer_says("Greet me if you take 250 CNY for it.");
    s.seller->start();
    const auto state = [&] {
        return s.seller->call_human("outbox.list")["data"]["items"][0]["state"];
    };
    REQUIRE(eventually([&] { return state() != "queued"; }));
    CHECK(state() == (is_kept ? "dead" : "sent"));
    CHECK(s.has_problem("outbox.dead") == is_kept);
    if (is_kept) CHECK(in_history(s.seller_account, s.buyer_account) == 0);
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

TEST_CASE("a lost session is told, once, though a2hd dies before it has told") {
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
