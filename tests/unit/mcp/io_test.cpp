#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/control/change_page.h"
#include "core/control/server.h"
#include "core/control/socket_io.h"
#include "mcp/calls.h"
#include "mcp/daemon_link.h"
#include "mcp/input.h"
#include "mcp/output.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::ErrorCode;
using a2h::control::Fd;
using a2h::control::Server;
using a2h::mcp::Calls;
using a2h::mcp::DaemonCall;
using a2h::mcp::DaemonLink;
using a2h::mcp::LineInput;
using a2h::mcp::Output;
using a2h::test::eventually;

namespace {

const DaemonCall kStatusCall{.method = "status", .params_json = "{}", .repeatable = true};

struct Pipe {
    Fd read_end;
    Fd write_end;

    Pipe() {
        int ends[2] = {-1, -1};
        REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
        read_end.reset(ends[0]);
        write_end.reset(ends[1]);
    }
    void put(std::string_view text) const {
        REQUIRE(::write(write_end.get(), text.data(), text.size()) ==
                static_cast<ssize_t>(text.size()));
    }
};

std::string read_to_end(int fd) {
    std::string all;
    char bytes[65536];
    for (ssize_t got = 0; (got = ::read(fd, bytes, sizeof bytes)) > 0;)
        all.append(bytes, static_cast<std::size_t>(got));
    return all;
}

/// `on_line` for each line, however they come.
LineInput::OnLines each(std::function<void(const std::string& line)> on_line) {
    return [on_line = std::move(on_line)](const std::vector<std::string>& lines) {
        for (const std::string& line : lines)
            on_line(line);
    };
}

void read_lines(int fd, int output_fd, std::size_t line_bytes_max,
                const std::function<void(std::string line)>& on_line) {
    LineInput input(fd, output_fd, line_bytes_max, each(on_line));
    while (input.read_some())
        continue;
}

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

Server::OnLine answering(const std::string& result) {
    return [result](const std::string& line, const Server::Respond& respond) {
        const auto begin = line.find("\"id\":") + 5;
        respond("{\"id\":" + line.substr(begin, line.find(',', begin) - begin) +
                ",\"result\":" + result + "}");
    };
}

}  // namespace

TEST_CASE("lines of many threads are written whole") {
    Pipe pipe;
    std::string all;
    std::thread reader([&] { all = read_to_end(pipe.read_end.get()); });
    {
        Output output(pipe.write_end.get());
        std::vector<std::thread> writers;
        for (char name = 'a'; name < 'e'; ++name) {
            writers.emplace_back([&output, name] {
                for (int i = 0; i < 50; ++i)
                    output.write(std::string(5000, name));
            });
        }
        for (std::thread& writer : writers)
            writer.join();
    }
    pipe.write_end.reset();
    reader.join();
    REQUIRE(all.size() == 200 * 5001);
    for (std::size_t at = 0; at < all.size(); at += 5001) {
        CHECK(all[at + 5000] == '\n');
        CHECK(all.find_first_not_of(all[at], at) == at + 5000);
    }
}

TEST_CASE("lines keep their order and bytes, however much fits at once") {
    for (const bool is_socket : {false, true}) {
        CAPTURE(is_socket);
        Pipe pipe;
        if (is_socket) {
            int ends[2] = {-1, -1};
            REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
            pipe.read_end.reset(ends[0]);
            pipe.write_end.reset(ends[1]);
        }
        std::string expected;
        std::string all;
        {
            Output output(pipe.write_end.get());
            const auto write = [&](std::size_t size) {
                const std::string line(size, static_cast<char>('a' + size % 26));
                expected += line + "\n";
                output.write(line);
            };
            // Nobody reads yet: some of it fits, some waits.
            for (std::size_t i = 0; i < 300; ++i)
                write(i * 37 % 9001);
            std::thread reader([&] { all = read_to_end(pipe.read_end.get()); });
            for (std::size_t i = 0; i < 300; ++i)
                write(i * 53 % 70'001);
            output.flush(std::chrono::steady_clock::now() + 10s);
            if (is_socket) ::shutdown(pipe.write_end.get(), SHUT_WR);
            pipe.write_end.reset();
            reader.join();
        }
        CHECK(all == expected);
    }
}

TEST_CASE("writing to a closed pipe drops lines and blocks nobody") {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe pipe;
    pipe.read_end.reset();
    Output output(pipe.write_end.get());
    for (int i = 0; i < 100; ++i)
        output.write(std::string(1024 * 1024, 'x'));
    output.flush(std::chrono::steady_clock::now() + 1h);
}

TEST_CASE("flush ends in time when nobody reads") {
    Pipe pipe;
    std::thread reader;
    {
        Output output(pipe.write_end.get());
        output.write(std::string(1024 * 1024, 'x'));
        output.flush(std::chrono::steady_clock::now() + 1ms);
        reader = std::thread([&] { read_to_end(pipe.read_end.get()); });
        output.flush(std::chrono::steady_clock::now() + 10s);
    }
    pipe.write_end.reset();
    reader.join();
}

TEST_CASE("lines are read to the end of input, and one that is too long is told as empty") {
    Pipe in;
    Pipe out;
    in.put("one\n\ntwo\r\n" + std::string(50, 'x') + "\nthree\nunfinished");
    in.write_end.reset();
    std::vector<std::string> lines;
    read_lines(in.read_end.get(), out.write_end.get(), 20,
               [&](std::string line) { lines.push_back(std::move(line)); });
    CHECK(lines == std::vector<std::string>{"one", "two", "", "three"});
}

TEST_CASE("reading ends when nobody reads the answers any more") {
    Pipe in;
    Pipe out;
    auto reading = std::async(std::launch::async, [&] {
        read_lines(in.read_end.get(), out.write_end.get(), 20, [](const std::string&) {});
    });
    out.read_end.reset();
    CHECK(reading.wait_for(10s) == std::future_status::ready);
}

TEST_CASE("reading ends when the socket that takes the answers is closed") {
    Pipe in;
    int ends[2] = {-1, -1};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const Fd ours(ends[0]);
    Fd theirs(ends[1]);
    auto reading = std::async(std::launch::async, [&] {
        read_lines(in.read_end.get(), ours.get(), 20, [](const std::string&) {});
    });
    theirs.reset();
    CHECK(reading.wait_for(10s) == std::future_status::ready);
    in.write_end.reset();
}

TEST_CASE("lines are written whole to an output that somebody made non-blocking") {
    Pipe pipe;
    REQUIRE(::fcntl(pipe.write_end.get(), F_SETFL, O_NONBLOCK) == 0);
    std::string all;
    {
        Output output(pipe.write_end.get());
        output.write(std::string(1024 * 1024, 'x'));
        std::thread reader([&] {
            char bytes[65536];
            while (!all.ends_with('\n')) {
                const ssize_t got = ::read(pipe.read_end.get(), bytes, sizeof bytes);
                if (got <= 0) return;
                all.append(bytes, static_cast<std::size_t>(got));
            }
        });
        reader.join();
    }
    CHECK(all.size() == 1024 * 1024 + 1);
}

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

TEST_CASE("a cancelled call is told, whether it runs or waits, and others are not") {
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

TEST_CASE("who has read a call makes it, and another reads on while it runs") {
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

TEST_CASE("what comes at once runs at once, whoever has read it") {
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

TEST_CASE("lines that are written together leave together and in order") {
    Pipe out;
    Output output(out.write_end.get());
    pollfd readable{out.read_end.get(), POLLIN, 0};
    {
        const Output::Together together(output);
        output.write("one");
        output.write("two");
        CHECK(::poll(&readable, 1, 0) == 0);
    }
    output.write("three");
    char bytes[64];
    const ssize_t got = ::read(out.read_end.get(), bytes, sizeof bytes);
    CHECK(std::string_view(bytes, got < 0 ? 0 : static_cast<std::size_t>(got)) ==
          "one\ntwo\nthree\n");
}

TEST_CASE("much that is written together does not wait for the end") {
    Pipe out;
    Output output(out.write_end.get());
    const Output::Together together(output);
    for (int i = 0; i < 64; ++i)
        output.write(std::string(1'024, 'x'));
    char bytes[64 * 1'025];
    std::size_t got = 0;
    while (got < sizeof bytes) {
        pollfd readable{out.read_end.get(), POLLIN, 0};
        REQUIRE(::poll(&readable, 1, 10'000) == 1);
        got +=
            static_cast<std::size_t>(::read(out.read_end.get(), bytes + got, sizeof bytes - got));
    }
    CHECK(got == sizeof bytes);
}

TEST_CASE("without a daemon and without leave to start one the error says how") {
    const a2h::test::TempDir home;
    DaemonLink link({.home = home.path(), .may_start = false});
    const auto result = link.call(kStatusCall, {});
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::Unavailable);
    CHECK(result.error().message.find("a2h up --home " + home.path().string()) !=
          std::string::npos);
    CHECK(!std::filesystem::exists(home.path() / "run"));
}

TEST_CASE("a restarted daemon is found again by the next call") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    DaemonLink link({.home = home.path(), .may_start = false});
    for (const char* answer : {"1", "2", "3"}) {
        auto server = Server::start(socket, answering(answer));
        REQUIRE(server);
        CHECK(link.call(kStatusCall, {}).value_or("none") == answer);
    }
}

TEST_CASE("changes are counted only while there is a daemon that counts them") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    auto page = a2h::control::ChangePage::create(home.path() / "run/changes");
    REQUIRE(page);
    DaemonLink link({.home = home.path(), .may_start = false});
    CHECK(!link.change_count());  // nothing has been asked yet
    auto server = Server::start(home.path() / "run/a2hd.sock", answering("1"));
    REQUIRE(server);
    REQUIRE(link.call(kStatusCall, {}));
    const auto before = link.change_count();
    REQUIRE(before);
    (*page)->note_change();
    CHECK(link.change_count() == *before + 1);
    server->reset();
    CHECK(!link.change_count());
}

TEST_CASE("a call waits for a daemon that is being restarted") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    DaemonLink link({.home = home.path(), .may_start = false});
    auto server = Server::start(socket, answering("1"));
    CHECK(link.call(kStatusCall, {}).value_or("none") == "1");
    server->reset();
    const DaemonCall look{.method = "status", .params_json = "{}", .patient = false};
    CHECK(!link.call(look, {}));  // from here on the end of the connection is known
    const DaemonCall change{.method = "send", .params_json = "{}"};
    auto waiting = std::async(std::launch::async, [&] { return link.call(change, {}); });
    CHECK(waiting.wait_for(100ms) == std::future_status::timeout);
    server = Server::start(socket, answering("2"));
    CHECK(waiting.get().value_or("none") == "2");
}

TEST_CASE("a daemon that does not come back is told after the time for it, and then at once") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    DaemonLink link({.home = home.path(), .may_start = false, .restart_timeout = 300ms});
    auto server = Server::start(socket, answering("1"));
    CHECK(link.call(kStatusCall, {}).has_value());
    server->reset();
    const auto begun = std::chrono::steady_clock::now();
    const DaemonCall look{.method = "status", .params_json = "{}", .patient = false};
    CHECK(!link.call(look, {}));  // a mere look waits for nobody
    const auto result = link.call(kStatusCall, {});
    CHECK(std::chrono::steady_clock::now() - begun >= 300ms);
    REQUIRE(!result);
    CHECK(result.error().message.find("a2h up") != std::string::npos);
    std::stop_source cancelled;
    cancelled.request_stop();
    CHECK(!link.call(kStatusCall, cancelled.get_token()));
}

TEST_CASE("a call whose connection ends is repeated only when that is harmless") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    for (const bool repeatable : {true, false}) {
        CAPTURE(repeatable);
        // The first connection is dropped by an answer that no client takes.
        std::atomic<int> calls = 0;
        auto server = Server::start(socket, [&](const std::string& line, const auto& respond) {
            if (++calls == 1) return respond(std::string(17 * 1024 * 1024, 'x'));
            answering("5")(line, respond);
        });
        REQUIRE(server);
        DaemonLink link({.home = home.path(), .may_start = false});
        const auto result =
            link.call({.method = "status", .params_json = "{}", .repeatable = repeatable}, {});
        CHECK(result.has_value() == repeatable);
        CHECK(calls == (repeatable ? 2 : 1));
    }
}
