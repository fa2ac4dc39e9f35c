#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

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

/// Longest time for which this machine let a thread wait that wanted to run: what no program on it
/// can promise to answer in.
class Hiccup {
  public:
    Hiccup() : thread_([this] { run(); }) {}
    ~Hiccup() {
        stopping_ = true;
        thread_.join();
    }
    milliseconds longest() const { return milliseconds(longest_ms_); }

  private:
    void run() {
        while (!stopping_) {
            const auto begin = steady_clock::now();
            std::this_thread::sleep_for(milliseconds(2));
            const auto took =
                std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin).count();
            if (took - 2 > longest_ms_) longest_ms_ = took - 2;
        }
    }

    std::atomic<bool> stopping_ = false;
    std::atomic<long> longest_ms_ = 0;
    std::thread thread_;
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
    int answers = 0;
    steady_clock::duration slowest{0};
    const Hiccup hiccup;
    std::size_t next = 0;
    const auto until = steady_clock::now() + outage();
    while (steady_clock::now() < until) {
        buyer.ask(sellers[next++ % sellers.size()].agent_id);
        const auto asked = steady_clock::now();
        const auto status = daemon.status(sellers[next % sellers.size()].agent_id);
        slowest = std::max(slowest, steady_clock::now() - asked);
        ++answers;
        REQUIRE(status.contains("store"));
        buyer.pump(milliseconds(20));
    }
    MESSAGE(answers, " status answers, slowest ",
            std::chrono::duration_cast<milliseconds>(slowest).count(),
            " ms; the machine stood for ", hiccup.longest().count(), " ms");
    // Four threads run in turn until an answer is here, and each may have to wait its turn.
    CHECK(slowest <= kStatusMax + 4 * hiccup.longest());
    CHECK_FALSE(daemon.status()["store"].value("ok", true));

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
