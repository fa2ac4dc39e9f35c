#include "daemon/kernel/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>

// The promises outlive the workers: a job may still be inside set_value when its waiter goes on.

TEST_CASE("jobs run on several threads at once") {
    std::promise<void> first_runs;
    std::promise<void> second_runs;
    std::promise<void> first_done;
    a2h::Workers workers(2);
    REQUIRE(workers.submit([&] {
        first_runs.set_value();
        second_runs.get_future().wait();
        first_done.set_value();
    }));
    first_runs.get_future().wait();
    REQUIRE(workers.submit([&] { second_runs.set_value(); }));
    first_done.get_future().wait();
}

TEST_CASE("a full queue refuses and says so") {
    std::promise<void> busy;
    std::promise<void> release;
    std::atomic<int> ran = 0;
    {
        a2h::Workers workers(1);
        REQUIRE(workers.submit([&] {
            busy.set_value();
            release.get_future().wait();
        }));
        busy.get_future().wait();
        for (std::size_t i = 0; i < a2h::Workers::kQueueMax; ++i) {
            REQUIRE(workers.submit([&] { ++ran; }));
        }
        CHECK(!workers.submit([&] { ++ran; }));
        release.set_value();
    }
    CHECK(ran <= static_cast<int>(a2h::Workers::kQueueMax));
}
