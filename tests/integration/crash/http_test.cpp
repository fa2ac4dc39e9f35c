// A network between a2hd and its market that cuts, delays, splits and breaks off, while the broker
// is lost repeatedly, too. TCP hides its own repetitions, so HTTP repeats nothing by itself; the
// case here is a client that repeats a request after a lost answer.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/integration/crash/world.h"
#include "tests/support/packet_proxy.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t kUnansweredMax = 40;
constexpr int kRate = 10;
/// Enough to meet each fault twice.
constexpr int kTurnsMin = 12;
constexpr std::size_t kListings = 8;

seconds time_wanted() {
    const char* wanted = std::getenv("A2H_TORTURE_SECONDS");
    return seconds(wanted != nullptr ? std::atoi(wanted) : 8);
}

platform::Account behind(const PacketProxy& proxy, platform::Account account) {
    account.api_base = proxy.url();
    return account;
}

struct BadMarket {
    // Tokens that are always about to expire: each connection to the broker asks for another one.
    World world{{}, {"--token-minutes", "20"}};
    const platform::Account seller = world.new_seller("seller");
    Buyer buyer{world.market(), "buyer"};
    PacketProxy http{world.market().port(), PacketProxy::Content::Http};
    PacketProxy mqtt{world.market().broker_port()};
    ProcessClock clock{world.dir() / "clock"};
    Daemon daemon{world.home(), {behind(http, seller)}, mqtt.uri(), world.options(clock)};
    std::mt19937 random{20'261'122};
    std::map<std::string, std::string> published{};  ///< approval by title
    int turns = 0;

    BadMarket() {
        REQUIRE(wait_until_ready(daemon, {seller}));
        buyer.ask(seller.agent_id);
        REQUIRE(buyer.wait_for_replies());
        clock.run_at(kRate);
    }
    void calm_down() {
        http.refuse(false);
        http.delay(milliseconds(0));
        http.halve(false);
        http.break_off(false);
    }
    /// Causes the next fault on the way to the market, or ends the broker's connection.
    void turn() {
        calm_down();
        switch (turns++ % 6) {
            case 0:
                http.refuse(true);
                http.cut();
                break;
            case 1:
                http.cut();
                break;
            case 2:
                http.delay(milliseconds(std::uniform_int_distribution<int>(1, 40)(random)));
                break;
            case 3:
                http.halve(true);
                break;
            case 4:
                http.break_off(true);
                break;
            default:
                mqtt.cut();
        }
    }
    milliseconds pause() {
        return milliseconds(std::uniform_int_distribution<int>(50, 400)(random));
    }
    /// Asks for one more listing and approves it; the market may be out of reach for either.
    void publish_one() {
        const std::string title = "Portrait " + std::to_string(published.size());
        const json asked =
            daemon.call_assistant("works.publish", json{{"type", 3},
                                                        {"title", title},
                                                        {"content", "An hour."},
                                                        {"expected_price", "90 CNY"},
                                                        {"service_method", "offline"},
                                                        {"service_location", "Hangzhou"}}
                                                       .dump());
        if (!asked.contains("error") || !asked["error"].contains("approval_id")) return;
        const std::string id = asked["error"]["approval_id"];
        const json answer{{"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}};
        const json answered = daemon.call_human("approval.answer", answer.dump());
        REQUIRE_MESSAGE(answered.value("ok", false), answered.dump());
        published[title] = id;
    }
    std::string outcome_of(const std::string& approval_id) {
        const auto found =
            daemon.call_human("approval.list", json{{"approval_id", approval_id}}.dump());
        return found["data"]["approvals"][0].value("outcome", "");
    }
    std::map<std::string, int> listings() {
        std::map<std::string, int> count;
        const auto found = world.market().client(seller).own_listings(std::nullopt, 1, 100);
        REQUIRE(found.has_value());
        for (const Listing& listing : *found)
            ++count[listing.title];
        return count;
    }
    /// The result that a2hd reports for each is the state at the market.
    void check_listings() {
        for (const auto& [title, approval] : published) {
            CAPTURE(title);
            REQUIRE(eventually(
                [&] {
                    const std::string outcome = outcome_of(approval);
                    return outcome == "executed" || outcome == "failed" || outcome == "unknown";
                },
                seconds(60)));
            const std::string outcome = outcome_of(approval);
            const int there = listings()[title];
            if (outcome == "executed") CHECK(there == 1);
            if (outcome == "failed") CHECK(there == 0);
            CHECK(there <= 1);
        }
    }
};

}  // namespace

TEST_CASE("no answer is invented when the network cuts or delays the market's answers") {
    BadMarket scene;
    const auto end = steady_clock::now() + time_wanted();
    while (steady_clock::now() < end || scene.turns < kTurnsMin) {
        scene.turn();
        if (scene.published.size() < kListings) scene.publish_one();
        const auto next = steady_clock::now() + scene.pause();
        while (steady_clock::now() < next) {
            if (scene.buyer.unanswered() < kUnansweredMax) scene.buyer.ask(scene.seller.agent_id);
            scene.buyer.pump(milliseconds(10));
        }
    }
    scene.calm_down();
    CHECK(scene.buyer.wait_for_replies());
    MESSAGE("asked and taken: ", scene.buyer.taken().size(), ", faults: ", scene.turns,
            ", listings: ", scene.published.size());
    CHECK(scene.published.size() > 0);
    check_nothing_lost(scene.world, {scene.seller}, scene.buyer);
    scene.check_listings();
}
