#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/store/outbox_store.h"
#include "tests/integration/crash/world.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr int kAgents = 50;
constexpr milliseconds kStatusMax{100};

std::chrono::seconds outage() {
    const char* seconds = std::getenv("A2H_OUTAGE_SECONDS");
    return std::chrono::seconds(seconds != nullptr ? std::atoi(seconds) : 5);
}

struct Answers {
    int count = 0;
    int late = 0;
    milliseconds slowest{0};

    void add(steady_clock::duration took) {
        ++count;
        if (took > kStatusMax) ++late;
        slowest = std::max(slowest, std::chrono::duration_cast<milliseconds>(took));
    }
};

bool wait_for_replies(Buyer& buyer) {
    return eventually(
        [&] {
            buyer.pump(milliseconds(20));
            return buyer.has_all_replies();
        },
        std::chrono::seconds(90));
}

}  // namespace

TEST_CASE("50 agents whose commits fail: status answers in time, and nothing is lost after") {
    World world;
    std::vector<platform::Account> sellers;
    for (int i = 0; i < kAgents; ++i)
        sellers.push_back(world.new_seller("seller " + std::to_string(i)));
    Buyer buyer(world.market(), "buyer");
    Daemon daemon(world.home(), sellers, world.market().mqtt_url(), world.options());
    REQUIRE(wait_until_ready(daemon, sellers));
    for (const auto& seller : sellers)
        buyer.ask(seller.agent_id);
    REQUIRE(wait_for_replies(buyer));

    world.fail_commits(true);
    Answers answers;
    std::size_t next = 0;
    const auto until = steady_clock::now() + outage();
    while (steady_clock::now() < until) {
        buyer.ask(sellers[next++ % sellers.size()].agent_id);
        const auto asked = steady_clock::now();
        const auto status = daemon.status(sellers[next % sellers.size()].agent_id);
        answers.add(steady_clock::now() - asked);
        REQUIRE(status.contains("store"));
        buyer.pump(milliseconds(20));
    }
    MESSAGE(answers.count, " status answers, slowest ", answers.slowest.count(), " ms, ",
            answers.late, " over 100 ms");
    CHECK_FALSE(daemon.status()["store"].value("ok", true));
    CHECK(answers.late == 0);

    world.fail_commits(false);
    CHECK(wait_for_replies(buyer));
    const auto db = world.database();
    std::size_t stored = 0;
    for (const auto& seller : sellers)
        stored += inbox_ids(*db, seller.agent_id, buyer.agent_id()).size();
    CHECK(stored == buyer.taken().size());
    for (const auto& [question, replies] : buyer.replies())
        CHECK_MESSAGE(replies.size() == 1, question, " has ", replies.size(), " replies");
}

TEST_CASE("On a full disk a2hd says so, loses nothing, and goes on when there is space") {
    World world;
    const auto seller = world.new_seller("seller");
    Buyer buyer(world.market(), "buyer");
    const auto full = world.dir() / "disk-is-full";
    auto options = world.options();
    options.environment["A2H_TEST_DISK_FULL"] = full.string();
    options.environment["LD_PRELOAD"] = A2H_DISK_FULL_LIBRARY;
    // A sanitizer's own library would have to come before ours.
    options.environment["ASAN_OPTIONS"] = "verify_asan_link_order=0";
    Daemon daemon(world.home(), {seller}, world.market().mqtt_url(), options);
    REQUIRE(wait_until_ready(daemon, {seller}));
    buyer.ask(seller.agent_id);
    REQUIRE(wait_for_replies(buyer));

    std::ofstream(full) << "";
    for (int i = 0; i < 200; ++i)
        buyer.ask(seller.agent_id);
    CHECK(eventually([&] {
        buyer.pump(milliseconds(20));
        return !daemon.status()["store"].value("ok", true);
    }));
    const auto store = daemon.status()["store"];
    CHECK(store.value("last_failure", "").find("full") != std::string::npos);
    CHECK_FALSE(daemon.status()["problems"].empty());

    std::filesystem::remove(full);
    CHECK(wait_for_replies(buyer));
    CHECK(buyer.taken().size() == 201);
    CHECK(inbox_ids(*world.database(), seller.agent_id, buyer.agent_id()) == buyer.taken());
    for (const auto& [question, replies] : buyer.replies())
        CHECK_MESSAGE(replies.size() == 1, question, " has ", replies.size(), " replies");
    CHECK(eventually([&] { return daemon.status()["store"].value("ok", false); }));
}
