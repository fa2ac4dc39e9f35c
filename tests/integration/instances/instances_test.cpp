// Two a2hd, two homes, one agent: one acts, the other follows.

#include <doctest/doctest.h>

#include <csignal>
#include <set>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/market_http.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// A lease lasts 15 s, and followers ask every 5 s.
constexpr std::chrono::seconds kTakeover{30};

constexpr const char* kHowMuch = "Hello, how much is the portrait photo session?";
constexpr const char* kPrice = "What is the price of the portrait photo session?";
constexpr const char* kCost = "How much does the portrait photo session cost?";

struct Twins {
    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account account = market.register_agent("twin");
    platform::Account buyer_account = market.register_agent("buyer");
    bool has_listing = publish();
    Daemon buyer{dir.path() / "buyer", {buyer_account}, market.mqtt_url()};
    Daemon first{dir.path() / "first", {account}, market.mqtt_url()};
    Daemon second;

    Twins() : second(connected_first().dir.path() / "second", {account}, market.mqtt_url()) {
        REQUIRE(buyer.connected());
    }
    /// The listing from which questions about its price are answered.
    bool publish() {
        const auto published = market.client(account).submit_listing(
            {.type = ListingType::Service,
             .title = "Portrait photo session",
             .content = "One hour in the studio, ten edited pictures.",
             .expected_price = "280 CNY",
             .service_method = "offline",
             .service_location = "Hangzhou",
             .works_id = {}});
        REQUIRE_MESSAGE(published.has_value(), (published ? "" : published.error().message));
        // What is said before the market listens for the first time is in no history.
        return eventually([&] {
            return test::send({.url = market.url() + "/healthz"}).body["relay"] == "connected";
        });
    }
    Twins& connected_first() {
        REQUIRE(first.connected());
        return *this;
    }

    void buyer_says(const std::string& text) {
        // The twin's message has been read, so nothing newer closes the question below.
        REQUIRE(eventually([&] { return buyer.status()["backlog"]["undecided"] == 0; }));
        const json sent = buyer.call_human(
            "send", json{{"target_agent_id", account.agent_id}, {"text", text}}.dump());
        if (sent["ok"] == true) return;
        // The twin's answer is an offer to the buyer, so the next text waits (R46).
        REQUIRE_MESSAGE(sent["error"].contains("approval_id"), sent.dump());
        const json yes{{"approval_id", sent["error"]["approval_id"]},
                       {"decision", "approve"},
                       {"pin", Daemon::kPin}};
        json answered;
        REQUIRE_MESSAGE(eventually([&] {
                            answered = buyer.call_human("approval.answer", yes.dump());
                            return answered["ok"] == true;
                        }),
                        answered.dump());
    }
    /// The messages of the twins to the buyer.
    std::vector<std::string> replies() {
        const json history = buyer.call_human(
            "inbox.history", json{{"peer_id", account.agent_id}, {"limit", 100}}.dump());
        REQUIRE_MESSAGE(history["ok"] == true, history.dump());
        std::vector<std::string> texts;
        for (const json& item : history["data"]["items"])
            if (item["direction"] == "in") texts.push_back(item["text"].get<std::string>());
        return texts;
    }
    std::set<std::string> heard_by(Daemon& daemon) {
        const json history = daemon.call_human(
            "inbox.history", json{{"peer_id", buyer_account.agent_id}, {"limit", 100}}.dump());
        std::set<std::string> texts;
        for (const json& item : history["data"]["items"])
            if (item["direction"] == "in") texts.insert(item["text"].get<std::string>());
        return texts;
    }
};

std::string standing(Daemon& daemon) {
    return daemon.status()["lease"].value("standing", "");
}

bool is_connected(Daemon& daemon) {
    return daemon.status()["connection"]["connected"] == true;
}

}  // namespace

TEST_CASE("one of two a2hd with the same identity acts, and the other takes over when it is gone") {
    Twins twins;
    CHECK(standing(twins.first) == "leading");
    REQUIRE(eventually([&] { return standing(twins.second) == "following"; }));
    CHECK(!is_connected(twins.second));
    const json problems = twins.second.status()["problems"];
    CHECK(std::any_of(problems.begin(), problems.end(),
                      [](const json& problem) { return problem["code"] == "lease.following"; }));

    twins.buyer_says(kHowMuch);
    REQUIRE(eventually([&] { return twins.replies().size() == 1; }));
    CHECK(twins.replies().front().find("280 CNY") != std::string::npos);

    // Ends without a sign-off: the broker keeps the messages that come meanwhile.
    twins.first.kill();
    twins.buyer_says(kPrice);
    REQUIRE(eventually([&] { return is_connected(twins.second); }, kTakeover));
    CHECK(standing(twins.second) == "leading");
    CHECK(eventually([&] { return twins.heard_by(twins.second).contains(kPrice); }));
    const json events =
        twins.second.call_human("events.list", R"({"after_id":0})")["data"]["events"];
    CHECK(std::any_of(events.begin(), events.end(),
                      [](const json& event) { return event["kind"] == "lease.taken"; }));
    // The answers of the first one come from the history, and are not given again.
    CHECK(eventually([&] { return twins.heard_by(twins.second).contains(kHowMuch); }, 20s));
    CHECK(eventually([&] { return twins.replies().size() == 2; }));

    // It comes back and waits; it does not displace the other one.
    twins.first.start();
    REQUIRE(eventually([&] { return standing(twins.first) == "following"; }));
    CHECK(!is_connected(twins.first));
    CHECK(is_connected(twins.second));
    const auto reconnects = twins.second.status()["connection"]["reconnects"];
    twins.buyer_says(kCost);
    REQUIRE(eventually([&] { return twins.replies().size() == 3; }));
    CHECK(twins.second.status()["connection"]["reconnects"] == reconnects);
    CHECK(!twins.heard_by(twins.first).contains(kCost));
}

TEST_CASE("a suspended leader neither sends nor takes in what the other one answered") {
    Twins twins;
    REQUIRE(eventually([&] { return standing(twins.second) == "following"; }));
    twins.first.process().signal(SIGSTOP);
    twins.buyer_says(kHowMuch);
    REQUIRE(eventually([&] { return is_connected(twins.second); }, kTakeover));
    REQUIRE(eventually([&] { return twins.replies().size() == 1; }));

    twins.first.process().signal(SIGCONT);
    REQUIRE(eventually([&] { return standing(twins.first) == "following"; }));
    CHECK(eventually([&] { return !is_connected(twins.first); }));
    CHECK(!twins.heard_by(twins.first).contains(kHowMuch));
    const json rows = twins.first.call_human("outbox.list")["data"]["items"];
    CHECK(rows.empty());
    CHECK(twins.replies().size() == 1);
    CHECK(is_connected(twins.second));
}

TEST_CASE("a copy of a home on the same machine is another instance") {
    Twins twins;
    REQUIRE(eventually([&] { return standing(twins.second) == "following"; }));
    const auto copy = twins.dir.path() / "copy";
    twins.first.stop();
    std::filesystem::copy(twins.first.home(), copy, std::filesystem::copy_options::recursive);
    CHECK(run({A2H_BIN_DIR "/a2hd", "--home", copy.string(), "--once", "status"}).status == 0);
    twins.first.start();
    // The lease is still its own, or the twin's where all of this took longer than a lease lasts.
    const auto leader_of = [&]() -> Daemon* {
        for (Daemon* twin : {&twins.first, &twins.second})
            if (standing(*twin) == "leading") return twin;
        return nullptr;
    };
    REQUIRE(eventually([&] { return leader_of() != nullptr; }, kTakeover));
    Process other({.argv = {A2H_BIN_DIR "/a2hd", "--home", copy.string()},
                   .environment = {},
                   .stdout_file = {},
                   .stderr_file = twins.dir.path() / "copy.log",
                   .pipe_stdin = false});
    REQUIRE(eventually([&] {
        const auto client = control::Client::connect(copy / "run" / "a2hd.sock");
        if (!client) return false;
        const auto answer = (*client)->call("status", R"({"face":"human"})", 5s);
        return answer && json::parse(*answer)["data"]["lease"]["standing"] == "following";
    }));
    CHECK(eventually([&] {
        Daemon* leader = leader_of();
        return leader != nullptr && is_connected(*leader);
    }));
}

TEST_CASE(
    "a copied home that leads for the first time answers nothing that was answered elsewhere") {
    Twins twins;
    twins.second.kill();
    const auto copy = twins.dir.path() / "copy";
    twins.first.stop();
    std::filesystem::copy(twins.first.home(), copy, std::filesystem::copy_options::recursive);
    twins.first.start();
    REQUIRE(eventually([&] { return is_connected(twins.first); }, kTakeover));
    twins.buyer_says(kHowMuch);
    REQUIRE(eventually([&] { return twins.replies().size() == 1; }));
    twins.first.stop();
    Process other({.argv = {A2H_BIN_DIR "/a2hd", "--home", copy.string()},
                   .environment = {},
                   .stdout_file = {},
                   .stderr_file = twins.dir.path() / "copy.log",
                   .pipe_stdin = false});
    const auto ask = [&](const char* action, const std::string& arguments) {
        const auto client = control::Client::connect(copy / "run" / "a2hd.sock");
        if (!client) return json();
        const auto answer = (*client)->call(action, arguments, 5s);
        return answer ? json::parse(*answer) : json();
    };
    const json whose{{"face", "human"}, {"peer_id", twins.buyer_account.agent_id}};
    REQUIRE(eventually(
        [&] {
            return ask("inbox.history", whose.dump()).dump().find(kHowMuch) != std::string::npos;
        },
        kTakeover));
    REQUIRE(eventually(
        [&] { return ask("status", R"({"face":"human"})")["data"]["backlog"]["undecided"] == 0; }));
    CHECK(ask("events.list", R"({"face":"human","after_id":0})").dump().find("lease.taken") !=
          std::string::npos);
    CHECK(ask("outbox.list", R"({"face":"human"})")["data"]["items"].empty());
    CHECK(twins.replies().size() == 1);
}
