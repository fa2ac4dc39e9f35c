#include "daemon/workers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>

TEST_CASE("jobs run on several threads at once") {
    a2h::Workers workers(2);
    std::promise<void> first_runs;
    std::promise<void> second_done;
    REQUIRE(workers.submit([&] {
        first_runs.set_value();
        second_done.get_future().wait();
    }));
    first_runs.get_future().wait();
    REQUIRE(workers.submit([&] { second_done.set_value(); }));
}

TEST_CASE("a full queue refuses and says so") {
    std::promise<void> release;
    std::atomic<int> ran = 0;
    {
        a2h::Workers workers(1);
        std::promise<void> busy;
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
