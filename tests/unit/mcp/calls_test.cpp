#include "mcp/calls.h"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "mcp/input.h"
#include "tests/support/process.h"
#include "tests/unit/mcp/host.h"
#include "tests/unit/mcp/pipe.h"

using namespace std::chrono_literals;
using a2h::mcp::Calls;
using a2h::mcp::LineInput;
using a2h::test::each;
using a2h::test::eventually;
using a2h::test::Pipe;

namespace {

/// A gate that jobs wait at until the test opens it.
class Gate {
  public:
    void open() {
        {
            const std::lock_guard lock(mutex_);
            open_ = true;
        }
        changed_.notify_all();
    }
    void pass(std::stop_token stop = {}) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [&] { return open_; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool open_ = false;
};

}  // namespace

TEST_CASE("a slow call delays no other") {
    Gate gate;
    std::promise<void> second;
    Calls calls;
    REQUIRE(calls.submit("1", [&](std::stop_token) { gate.pass(); }));
    REQUIRE(calls.submit("2", [&](std::stop_token) { second.set_value(); }));
    CHECK(second.get_future().wait_for(10s) == std::future_status::ready);
    gate.open();
}

TEST_CASE("more calls than threads wait, too many are refused, and all accepted ones run") {
    std::atomic<std::size_t> ran = 0;
    Gate gate;
    Calls calls;
    const auto job = [&](std::stop_token) {
        gate.pass();
        ++ran;
    };
    std::size_t accepted = 0;
    while (accepted < 5000 && calls.submit("x", job))
        ++accepted;
    CHECK(accepted >= Calls::kWaitingMax);
    CHECK(accepted <= Calls::kWaitingMax + Calls::kRunningMax);
    gate.open();
    CHECK(eventually([&] { return ran == accepted; }));
}

TEST_CASE("calls that wait on purpose delay no others, and wait for each other above a limit") {
    Gate gate;
    std::atomic<std::size_t> ran = 0;
    std::promise<void> other;
    Calls calls;
    for (std::size_t i = 0; i < 2 * Calls::kLongRunningMax; ++i) {
        REQUIRE(calls.submit(
            "x",
            [&](std::stop_token) {
                ++ran;
                gate.pass();
            },
            Calls::Lane::Long));
    }
    REQUIRE(eventually([&] { return ran == Calls::kLongRunningMax; }));
    REQUIRE(calls.submit("short", [&](std::stop_token) { other.set_value(); }));
    CHECK(other.get_future().wait_for(10s) == std::future_status::ready);
    CHECK(ran == Calls::kLongRunningMax);
    gate.open();
    CHECK(eventually([&] { return ran == 2 * Calls::kLongRunningMax; }));
}

TEST_CASE("calls with a time limit begin at once, whatever else runs, or are refused") {
    Gate gate;
    std::atomic<std::size_t> ran = 0;
    std::atomic<std::size_t> timed = 0;
    Calls calls;
    for (const Calls::Lane lane : {Calls::Lane::Short, Calls::Lane::Long}) {
        for (std::size_t i = 0; i < 2 * Calls::kLongRunningMax; ++i) {
            REQUIRE(calls.submit(
                "x",
                [&](std::stop_token) {
                    ++ran;
                    gate.pass();
                },
                lane));
        }
    }
    const auto submit = [&] {
        return calls.submit(
            "timed",
            [&](std::stop_token) {
                ++timed;
                gate.pass();
            },
            Calls::Lane::Timed);
    };
    for (std::size_t i = 0; i < Calls::kTimedRunningMax; ++i)
        REQUIRE(submit());
    CHECK(eventually([&] { return timed == Calls::kTimedRunningMax; }));
    CHECK(!submit());
    gate.open();
    CHECK(eventually([&] { return ran == 4 * Calls::kLongRunningMax; }));
    CHECK(eventually([&] { return submit(); }));
}

TEST_CASE("a cancelled call is informed, whether it runs or waits, and others are not") {
    Gate never;
    std::atomic<int> cancelled = 0;
    std::atomic<int> started = 0;
    Calls calls;
    const auto job = [&](std::stop_token stop) {
        ++started;
        never.pass(stop);
        if (stop.stop_requested()) ++cancelled;
    };
    for (std::size_t i = 0; i < Calls::kRunningMax; ++i)
        REQUIRE(calls.submit(std::to_string(i), job));
    REQUIRE(calls.submit("waiting", job));
    REQUIRE(eventually([&] { return started == int{Calls::kRunningMax}; }));
    calls.cancel("waiting");
    calls.cancel("unknown");
    CHECK(cancelled == 0);
    calls.cancel("3");
    CHECK(eventually([&] { return cancelled == 2; }));
}

TEST_CASE("the end of the pool cancels what runs and drops what waits") {
    std::atomic<std::size_t> ran = 0;
    Gate never;
    {
        Calls calls;
        for (int i = 0; i < 100; ++i)
            REQUIRE(calls.submit("x", [&](std::stop_token stop) {
                ++ran;
                never.pass(stop);
            }));
        REQUIRE(eventually([&] { return ran == Calls::kRunningMax; }));
    }
    CHECK(ran == Calls::kRunningMax);
}

TEST_CASE("the thread that read a call runs it, and another reads on meanwhile") {
    Pipe in;
    const Pipe out;
    Gate gate;
    std::mutex mutex;
    std::set<std::thread::id> readers;
    std::atomic<int> running = 0;
    std::atomic<int> same_thread = 0;
    Calls calls;
    LineInput input(in.read_end.get(), out.write_end.get(), 20, each([&](const std::string& line) {
                        const auto reader = std::this_thread::get_id();
                        {
                            const std::lock_guard lock(mutex);
                            readers.insert(reader);
                        }
                        REQUIRE(calls.submit(line, [&, reader](std::stop_token stop) {
                            if (reader == std::this_thread::get_id()) ++same_thread;
                            ++running;
                            gate.pass(stop);
                        }));
                    }));
    std::atomic<bool> ended = false;
    std::thread main([&] {
        calls.read_to_end([&] { return input.read_some(); });
        ended = true;
    });
    for (int i = 1; i <= 8; ++i) {
        in.put("call\n");
        CHECK(eventually([&] { return running == i; }));
    }
    CHECK(same_thread == 8);
    CHECK(readers.size() == 8);
    // All that may run do; somebody reads all the same, and sees the end.
    in.put("one more\n");
    CHECK(!ended);
    in.write_end.reset();
    main.join();
    CHECK(running == 8);
    gate.open();
    CHECK(eventually([&] { return running == 9; }));
}

TEST_CASE("calls that arrive together run together, whichever thread read them") {
    Pipe in;
    const Pipe out;
    Gate gate;
    std::atomic<int> running = 0;
    Calls calls;
    LineInput input(in.read_end.get(), out.write_end.get(), 20, each([&](const std::string& line) {
                        REQUIRE(calls.submit(line, [&](std::stop_token stop) {
                            ++running;
                            gate.pass(stop);
                        }));
                    }));
    in.put("1\n2\n3\n4\n5\n6\n7\n8\n");
    std::thread main([&] { calls.read_to_end([&] { return input.read_some(); }); });
    CHECK(eventually([&] { return running == 8; }));
    in.write_end.reset();
    main.join();
    gate.open();
}

TEST_CASE("many open waits for a human leave other tools and requests answered") {
    a2h::test::Host host;
    host.initialize("2025-06-18");
    host.on["status"] = [](const nlohmann::json&) { return nlohmann::json::object(); };
    host.on["approval.wait"] = [](const nlohmann::json&) { return nlohmann::json::object(); };
    host.hold("approval.wait");
    const int waits = 20;
    for (int i = 0; i < waits; ++i) {
        host.request("tools/call",
                     {{"name", "a2h_approval_wait"}, {"arguments", {{"approval_id", "apr_1"}}}});
    }
    REQUIRE(host.called("approval.wait", waits));
    const auto answer = host.ask("tools/call", {{"name", "a2h_status"}});
    CHECK(answer["result"]["isError"] == false);
    host.release();
}
