#include "daemon/kernel/loop.h"

#include <doctest/doctest.h>

#include <memory>
#include <thread>
#include <vector>

#include "daemon/kernel/ask_loop.h"

using a2h::Loop;
using std::chrono::milliseconds;

TEST_CASE("tasks run in the order in which they were posted") {
    Loop loop;
    std::vector<int> order;
    for (int i = 0; i < 3; ++i)
        loop.post([&order, i] { order.push_back(i); });
    loop.post([&loop] { loop.stop(); });
    loop.run();
    CHECK(order == std::vector<int>{0, 1, 2});
}

TEST_CASE("timers run by their time, not by the order of the calls") {
    Loop loop;
    std::vector<int> order;
    loop.call_after(milliseconds(20), [&] {
        order.push_back(2);
        loop.stop();
    });
    loop.call_after(milliseconds(1), [&] { order.push_back(1); });
    loop.run();
    CHECK(order == std::vector<int>{1, 2});
}

TEST_CASE("a cancelled timer does not run") {
    Loop loop;
    bool ran = false;
    const auto id = loop.call_after(milliseconds(1), [&] { ran = true; });
    loop.cancel(id);
    loop.cancel(id);
    loop.call_after(milliseconds(5), [&] { loop.stop(); });
    loop.run();
    CHECK(!ran);
}

TEST_CASE("another thread wakes the loop") {
    Loop loop;
    std::thread poster([&loop] { loop.post([&loop] { loop.stop(); }); });
    loop.run();
    poster.join();
}

TEST_CASE("tasks that wait when the loop stops are dropped, and so are later ones") {
    Loop loop;
    auto held = std::make_shared<int>(0);
    loop.post([&loop, held] {
        loop.post([held] { ++*held; });
        loop.call_after(milliseconds(0), [held] { ++*held; });
        loop.stop();
    });
    loop.run();
    loop.post([held] { ++*held; });
    CHECK(*held == 0);
    CHECK(held.use_count() == 1);
}

TEST_CASE("a waiter is released when the loop ends even if the promise is still held") {
    Loop loop;
    std::function<void(a2h::Result<int>)> kept;
    a2h::Result<int> result = 1;
    std::thread asker([&] {
        result = a2h::ask_loop<int>(
            loop,
            [&](std::function<void(a2h::Result<int>)> done) {
                kept = std::move(done);
                loop.stop();
            },
            std::chrono::hours(1));
    });
    loop.run();
    asker.join();
    REQUIRE_FALSE(result);
    CHECK(result.error().code == a2h::ErrorCode::Unavailable);
}
