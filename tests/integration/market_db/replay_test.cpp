#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "market/api/replay_guard.h"
#include "tests/integration/market_db/place.h"

using namespace a2h;
using namespace a2h::market;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

}  // namespace

TEST_CASE("only one of several processes on one PostgreSQL accepts a nonce") {
    const test::Place place(db::Dialect::Postgresql);
    const auto first_database = place.open();
    const auto second_database = place.open();
    auto first = ReplayGuard::in_database(*first_database);
    auto second = ReplayGuard::in_database(*second_database);
    CHECK(first.first_use("ag_1", "n1", kNow).value());
    CHECK_FALSE(second.first_use("ag_1", "n1", kNow).value());
    CHECK(second.first_use("ag_2", "n1", kNow).value());
    std::atomic<int> accepted{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const auto good = (i % 2 == 0 ? first : second).first_use("ag_1", "raced", kNow);
            if (good && *good) ++accepted;
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(accepted == 1);
}

TEST_CASE("PostgreSQL forgets a nonce only when its timestamp cannot be used any more") {
    const test::Place place(db::Dialect::Postgresql);
    const auto database = place.open();
    auto guard = ReplayGuard::in_database(*database);
    CHECK(guard.first_use("ag_1", "n1", kNow).value());
    CHECK_FALSE(guard.first_use("ag_1", "n1", kNow + 2 * ReplayGuard::kWindowMs).value());
    CHECK(guard.first_use("ag_1", "n1", kNow + 4 * ReplayGuard::kWindowMs + 1).value());
}
