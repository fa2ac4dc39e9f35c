// Unread mail is read before a text is sent.

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

#include "tests/integration/daemon/strangers.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// The market, whose history cannot be read while it is mute.
class MuteHistory {
  public:
    explicit MuteHistory(Market& market)
        : http_([this, &market](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
              if (is_mute && request.head.starts_with("GET /v1/messages?"))
                  peer.answer(503, R"({"code":"503","message":"try again later"})");
              else
                  relay_to(market, peer, request);
          }) {}
    std::string url() const { return "http://127.0.0.1:" + std::to_string(http_.port()); }

    std::atomic<bool> is_mute = false;

  private:
    ScriptedHttp http_;
};

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

TEST_CASE("R46: until the market's history is read, every text to anybody waits") {
    Strangers s;
    MuteHistory slow_market(s.market);
    s.up(slow_market.url());
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
    slow_market.is_mute = true;
    s.seller->start();
    REQUIRE(s.seller->connected());
    REQUIRE(eventually([&] { return s.has_problem(problem); }));
    const json held = says(s.buyer_account, "Which style do you prefer?");
    REQUIRE_MESSAGE(held["ok"] == false, held.dump());
    CHECK(held["error"]["message"].get<std::string>().find("history has not been read") !=
          std::string::npos);

    slow_market.is_mute = false;
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
    MuteHistory slow_market(s.market);
    s.up(slow_market.url());
    slow_market.is_mute = true;
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
    const auto arrived = [&] { return in_history(s.seller_account, s.buyer_account); };
    CHECK(is_answered ? arrived() == 0 : eventually([&] { return arrived() == 1; }));
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
        cause = "stop:assistant";
        type = "status_report";
    }
    SUBCASE("a human's invitation") {
        cause = "negotiation_released:collab-000000000001";
    }
    SUBCASE("a failure") {
        cause = "negotiation_failed:collab-000000000001";
        type = "negotiation_ended";
    }
    const bool is_kept = cause.starts_with("negotiation:") || cause.starts_with("stop:");
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

TEST_CASE("R46: mail that expired at the broker is read before a text leaves") {
    // More than the broker sends to one client before it is acknowledged.
    constexpr int kGreetings = 120;
    Strangers s;
    s.up();
    REQUIRE(s.seller->connected());
    const platform::Account account = s.market.register_agent("guest");
    Guest guest(s.market, account, 1);
    s.seller->process().signal(SIGSTOP);
    for (int i = 0; i < kGreetings; ++i)
        guest.say(s.seller_account.agent_id, "Hello!");
    guest.say(s.seller_account.agent_id, "Greet me if you take 250 CNY for it.");
    std::this_thread::sleep_for(std::chrono::seconds(3));
    s.seller->process().signal(SIGCONT);
    const json greeting{{"target_agent_id", account.agent_id}, {"text", "Good morning!"}};
    const json sent = s.seller->call_assistant("send", greeting.dump());
    // Asked for, or refused because the card cannot show all of the greetings.
    CHECK_MESSAGE(sent["ok"] == false, sent.dump());
    CHECK(in_history(s.seller_account, account) == 0);
    CHECK(eventually([&] {
        return texts_from(*s.seller, account.agent_id)
                   .count("Greet me if you take 250 CNY for it.") == 1;
    }));
}

TEST_CASE("R47: words in an id of the message that is asked about stand on its card") {
    Strangers s;
    s.up();
    REQUIRE(s.seller->connected());
    Guest guest(s.market, s.market.register_agent("guest"), 60);
    guest.say(s.seller_account.agent_id, "I offer 30 USD.", "and you pay 500 USD if it is late");
    json open;
    REQUIRE(eventually([&] {
        open =
            s.seller->call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
        return open.size() == 1;
    }));
    CHECK_MESSAGE(open[0]["covers"].dump().find("500 USD if it is late") != std::string::npos,
                  open.dump());
}
