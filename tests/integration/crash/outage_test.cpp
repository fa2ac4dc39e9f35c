#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

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

/// The longest time for which this machine let a runnable thread wait: no program on it can promise
/// to answer sooner.
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
    REQUIRE(buyer.wait_for_replies());

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
    CHECK(slowest <= kSlowdown * kStatusMax + 4 * hiccup.longest());
    CHECK_FALSE(daemon.status()["store"].value("ok", true));

    world.fail_commits(false);
    CHECK(buyer.wait_for_replies());
    check_nothing_lost(world, sellers, buyer);
}

namespace {

/// A seller whose a2hd writes to a disk that fails and recovers.
struct BadDisk {
    World world;
    const platform::Account seller = world.new_seller("seller");
    Buyer buyer{world.market(), "buyer"};
    const std::filesystem::path fault = world.dir() / "disk";
    Daemon daemon{world.home(), {seller}, world.market().mqtt_url(), options()};

    BadDisk() {
        REQUIRE(wait_until_ready(daemon, {seller}));
        buyer.ask(seller.agent_id);
        REQUIRE(buyer.wait_for_replies());
    }
    Daemon::Options options() const {
        auto chosen = world.options();
        chosen.environment.merge(preloading(A2H_BAD_DISK_LIBRARY));
        chosen.environment["A2H_TEST_DISK"] = fault.string();
        return chosen;
    }
    void ask(int questions) {
        for (int i = 0; i < questions; ++i)
            buyer.ask(seller.agent_id);
    }
    bool says_so() {
        return eventually([&] {
            buyer.pump(milliseconds(20));
            return !daemon.status()["store"].value("ok", true);
        });
    }
    void check_nothing_lost(std::size_t questions) {
        CHECK(buyer.wait_for_replies());
        CHECK(buyer.taken().size() == questions);
        test::check_nothing_lost(world, {seller}, buyer);
        CHECK(eventually([&] { return daemon.status()["store"].value("ok", false); }));
    }
};

}  // namespace

TEST_CASE("On a disk that is full or fails a2hd says so, loses nothing, and goes on afterwards") {
    BadDisk scene;
    std::size_t questions = 1;
    for (const std::string fault : {"full", "error", "read-only"}) {
        CAPTURE(fault);
        std::ofstream(scene.fault) << fault;
        scene.ask(100);
        questions += 100;
        CHECK(scene.says_so());
        CHECK_FALSE(scene.daemon.status()["store"].value("last_failure", "").empty());
        CHECK_FALSE(scene.daemon.status()["problems"].empty());
        std::filesystem::remove(scene.fault);
        scene.check_nothing_lost(questions);
    }
}

TEST_CASE("A disk that fails until SIGKILL loses no message that was acknowledged") {
    BadDisk scene;
    std::ofstream(scene.fault) << "error";
    scene.ask(50);
    CHECK(scene.says_so());
    scene.daemon.kill();
    std::filesystem::remove(scene.fault);
    scene.daemon.start();
    scene.check_nothing_lost(51);
}

TEST_CASE("A slow disk makes a2hd slow and nothing worse") {
    BadDisk scene;
    std::ofstream(scene.fault) << "slow";
    scene.ask(40);
    scene.check_nothing_lost(41);
}
