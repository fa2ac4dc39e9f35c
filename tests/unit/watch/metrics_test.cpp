#include "daemon/kernel/metrics.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace a2h;
using namespace std::chrono_literals;
using kernel::Histogram;
using kernel::LabelledCounter;
using kernel::Metrics;

TEST_CASE("a value equal to a bound is counted in the bucket of that bound") {
    Histogram histogram;
    histogram.add(0us);
    histogram.add(500us);
    histogram.add(501us);
    histogram.add(2'500'000us);
    histogram.add(3'000'000us);
    const auto reading = histogram.read();
    CHECK(reading.up_to[0] == 2);
    CHECK(reading.up_to[1] == 3);
    CHECK(reading.up_to[Histogram::kBounds.size() - 1] == 4);
    CHECK(reading.up_to.back() == 5);
    CHECK(reading.sum == 5'501'001us);
}

TEST_CASE("a histogram's buckets hold all that are below") {
    Histogram histogram;
    std::uint64_t count = 0;
    for (auto took = 1us; took < 10s; took *= 3) {
        histogram.add(took);
        ++count;
    }
    const auto reading = histogram.read();
    for (std::size_t i = 1; i < reading.up_to.size(); ++i)
        CHECK(reading.up_to[i - 1] <= reading.up_to[i]);
    CHECK(reading.up_to.back() == count);
}

TEST_CASE("counters lose nothing to other threads") {
    constexpr int kThreads = 4;
    constexpr int kEach = 5'000;
    Metrics metrics;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&] {
                for (int n = 0; n < kEach; ++n) {
                    metrics.received.add();
                    metrics.commit.add(1ms);
                    metrics.decided.add("rule", "ask");
                }
            });
        }
    }
    CHECK(metrics.received.value() == kThreads * kEach);
    CHECK(metrics.commit.read().up_to.back() == kThreads * kEach);
    CHECK(metrics.commit.read().sum == kThreads * kEach * 1ms);
    CHECK(metrics.decided.values().at({"rule", "ask"}) == kThreads * kEach);
}

TEST_CASE("a series more than there may be is counted as another one") {
    LabelledCounter counter;
    const std::size_t most = LabelledCounter::kSeriesMax;
    for (std::size_t i = 0; i < most + 5; ++i)
        counter.add("rule" + std::to_string(i), "ask");
    counter.add("rule0", "ask");
    const auto values = counter.values();
    CHECK(values.size() == most + 1);
    CHECK(values.at({"rule0", "ask"}) == 2);
    CHECK(values.at({"other", "other"}) == 5);
}

TEST_CASE("a question that a mandate answered was not asked") {
    Metrics metrics;
    Approval approval;
    metrics.count_opened(approval);
    approval.surface = AnswerSurface::Mandate;
    metrics.count_opened(approval);
    metrics.count_opened(approval);
    CHECK(metrics.asked.value() == 1);
    CHECK(metrics.mandated.value() == 2);
}
