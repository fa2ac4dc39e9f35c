#include "core/base/log.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "core/base/log_ring.h"

using namespace a2h;
using log::Field;
using log::Level;
using log::Ring;

namespace {

void put(Ring& ring, std::string_view sentence, Level level = Level::Info) {
    REQUIRE(ring.take({1'000, level, sentence, {}}));
}

std::string texts(const Ring::Reading& reading) {
    std::string all;
    for (const Ring::Kept& kept : reading.events)
        all += kept.text + " ";
    return all;
}

/// Takes what is logged in this process as long as it lives.
struct Listening {
    std::shared_ptr<Ring> ring = std::make_shared<Ring>();
    Listening() { log::set_listener(ring); }
    ~Listening() { log::set_listener(nullptr); }
};

/// Takes nothing, or all.
struct Output : log::Sink {
    bool takes = true;
    int events = 0;
    bool take(const log::Event&) override {
        ++events;
        return takes;
    }
};

}  // namespace

TEST_CASE("an event is one line, whatever its values hold") {
    const Field fields[] = {{"agent", "ag_1"}, {"error", "no \"space\"\nleft"}, {"count", 3}};
    const log::Event event{0, Level::Warning, "It failed", fields};
    CHECK(event.text() == "It failed agent=ag_1 error=\"no \\\"space\\\" left\" count=3");
}

TEST_CASE("the ring keeps the newest, in order and numbered") {
    Ring ring;
    for (const char* sentence : {"a", "b", "c"})
        put(ring, sentence);
    CHECK(texts(ring.read(0, Level::Debug, 10)) == "a b c ");
    CHECK(texts(ring.read(0, Level::Debug, 2)) == "b c ");
    CHECK(texts(ring.read(2, Level::Debug, 10)) == "c ");
    CHECK(texts(ring.read(3, Level::Debug, 10)).empty());
    CHECK(ring.read(0, Level::Debug, 10).last == 3);
    CHECK(ring.read(0, Level::Debug, 10).events[1].number == 2);
}

TEST_CASE("reading the ring by level keeps the position of its last event") {
    Ring ring;
    put(ring, "a", Level::Error);
    put(ring, "b", Level::Info);
    put(ring, "c", Level::Warning);
    put(ring, "d", Level::Debug);
    CHECK(texts(ring.read(0, Level::Warning, 10)) == "a c ");
    CHECK(texts(ring.read(0, Level::Error, 10)) == "a ");
    CHECK(ring.read(0, Level::Error, 10).last == 4);
}

TEST_CASE("the ring is bounded in events and in bytes") {
    Ring ring;
    for (std::size_t i = 0; i < Ring::kEventsMax + 10; ++i)
        put(ring, std::to_string(i));
    auto reading = ring.read(0, Level::Debug, 2 * Ring::kEventsMax);
    CHECK(reading.events.size() == Ring::kEventsMax);
    CHECK(reading.events.front().text == "10");

    const std::string large(2 * Ring::kEventBytesMax, 'x');
    for (int i = 0; i < 1'000; ++i)
        put(ring, large);
    reading = ring.read(0, Level::Debug, 2 * Ring::kEventsMax);
    CHECK(reading.events.size() == Ring::kBytesMax / Ring::kEventBytesMax);
    CHECK(reading.events.back().text.size() == Ring::kEventBytesMax);
}

TEST_CASE("the ring loses nothing to other threads") {
    constexpr int kThreads = 4;
    constexpr int kEach = 200;
    Ring ring;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&] {
                for (int n = 0; n < kEach; ++n)
                    put(ring, "x");
            });
        }
    }
    const auto reading = ring.read(0, Level::Debug, 2'000);
    REQUIRE(reading.events.size() == kThreads * kEach);
    for (std::size_t i = 0; i < reading.events.size(); ++i)
        CHECK(reading.events[i].number == static_cast<std::int64_t>(i) + 1);
}

TEST_CASE("a listener gets the logged events of its level") {
    const Listening listening;
    log::warning("Something", {{"agent", "ag_1"}});
    log::debug("Never seen");
    CHECK(texts(listening.ring->read(0, Level::Debug, 10)) == "Something agent=ag_1 ");
}

TEST_CASE("an output gets everything, and who listens as well") {
    const Listening listening;
    const auto output = std::make_shared<Output>();
    log::set_output(output);
    log::info("a");
    output->takes = false;
    log::info("b");
    log::set_output(nullptr);
    log::info("c");
    CHECK(output->events == 2);
    CHECK(texts(listening.ring->read(0, Level::Debug, 10)) == "a b c ");
}

TEST_CASE("levels have names") {
    for (const Level level :
         {Level::Error, Level::Warning, Level::Notice, Level::Info, Level::Debug})
        CHECK(log::parse_level(log::to_string(level)) == level);
    CHECK(!log::parse_level("fatal"));
}
