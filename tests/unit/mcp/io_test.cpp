#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/base/fd.h"
#include "mcp/input.h"
#include "mcp/output.h"
#include "tests/unit/mcp/pipe.h"

using namespace std::chrono_literals;
using a2h::Fd;
using a2h::mcp::LineInput;
using a2h::mcp::Output;
using a2h::test::each;
using a2h::test::Pipe;

namespace {

std::string read_to_end(int fd) {
    std::string all;
    char bytes[65536];
    for (ssize_t got = 0; (got = ::read(fd, bytes, sizeof bytes)) > 0;)
        all.append(bytes, static_cast<std::size_t>(got));
    return all;
}

void read_lines(int fd, int output_fd, std::size_t line_bytes_max,
                const std::function<void(std::string line)>& on_line) {
    LineInput input(fd, output_fd, line_bytes_max, each(on_line));
    while (input.read_some())
        continue;
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
            // Nothing is read yet: some of it fits, some waits.
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
    CHECK(!output.has_reader());
    for (int i = 0; i < 100; ++i)
        output.write(std::string(1024 * 1024, 'x'));
    CHECK(output.flush(std::chrono::steady_clock::now() + 1h));
}

TEST_CASE("flush ends in time when nobody reads") {
    Pipe pipe;
    std::thread reader;
    {
        Output output(pipe.write_end.get());
        output.write(std::string(1024 * 1024, 'x'));
        CHECK(output.has_reader());
        CHECK(!output.flush(std::chrono::steady_clock::now() + 1ms));
        reader = std::thread([&] { read_to_end(pipe.read_end.get()); });
        output.flush(std::chrono::steady_clock::now() + 10s);
    }
    pipe.write_end.reset();
    reader.join();
}

TEST_CASE("a write waits for no client that has closed its side and reads nothing") {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe in;
    Pipe out;
    constexpr auto kPatience = 1s;
    Output output(out.write_end.get(), in.read_end.get(), kPatience);
    const std::string line(1024 * 1024, 'x');
    const auto flood = [&] {
        for (std::size_t size = 0; size <= 2 * Output::kQueueBytesMax; size += line.size())
            output.write(line);
    };
    auto writing = std::async(std::launch::async, flood);
    CHECK(writing.wait_for(300ms) == std::future_status::timeout);
    in.put("unread");
    in.write_end.reset();
    CHECK(writing.wait_for(kPatience + 2s) == std::future_status::ready);
    CHECK(output.gave_up());
    CHECK(output.has_reader());
    // Later output is dropped at once.
    flood();
    CHECK(!output.flush(std::chrono::steady_clock::now() + 1h));
    out.read_end.reset();  // ends the write that is still waiting
}

TEST_CASE("a write ends with the deadline that was set for all") {
    ::signal(SIGPIPE, SIG_IGN);
    Pipe out;
    Output output(out.write_end.get(), -1, 200ms);
    const auto deadline = output.end();
    CHECK((output.end() == deadline));
    for (std::size_t size = 0; size <= 2 * Output::kQueueBytesMax; size += 1024 * 1024)
        output.write(std::string(1024 * 1024, 'x'));
    out.read_end.reset();
}

TEST_CASE("an outline of too many messages comes in parts while the line is read") {
    Pipe in;
    const Pipe out;
    std::vector<a2h::mcp::InputLine> lines;
    LineInput input(in.read_end.get(), out.write_end.get(), 100,
                    [&](const std::vector<a2h::mcp::InputLine>& more) {
                        lines.insert(lines.end(), more.begin(), more.end());
                    });
    std::size_t reported = 0;
    in.put("[0");
    for (int round = 0; round < 50; ++round) {
        std::string part;
        for (int i = 0; i < 100; ++i)
            part += R"(,{"id":1,"method":"x"})";
        in.put(part);
        REQUIRE(input.read_some());
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].oversized->is_part);
        reported += lines[0].oversized->items.size();
        lines.clear();
    }
    in.put("]\nnext\n");
    REQUIRE(input.read_some());
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].oversized->is_complete);
    CHECK(reported + lines[0].oversized->items.size() == 5001);
    CHECK(lines[1].text == "next");
}

TEST_CASE("the outline of a line that is too long is kept, however long it is") {
    const Pipe in;
    const Pipe out;
    std::vector<a2h::mcp::InputLine> lines;
    LineInput input(in.read_end.get(), out.write_end.get(), 100,
                    [&](const std::vector<a2h::mcp::InputLine>& more) {
                        lines.insert(lines.end(), more.begin(), more.end());
                    });
    const std::string part(50'000, 'y');
    in.put(R"({"method":"x","params":")");
    for (int i = 0; i < 20; ++i) {
        in.put(part);
        REQUIRE(input.read_some());
        CHECK(lines.empty());
    }
    in.put("\",\"id\":9}\r\none\n");
    REQUIRE(input.read_some());
    REQUIRE(lines.size() == 2);
    REQUIRE(lines[0].oversized.has_value());
    CHECK(lines[0].oversized->is_complete);
    CHECK(lines[0].oversized->items.front().id == "9");
    CHECK(lines[1].text == "one");
    CHECK(!lines[1].oversized);
}

TEST_CASE("lines are read to the end of input, and one that is too long is reported as empty") {
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
