#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/base/guarded.h"
#include "core/control/client.h"
#include "core/control/framing.h"
#include "core/control/server.h"
#include "core/control/socket_io.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::ErrorCode;
using a2h::Fd;
using a2h::control::Client;
using a2h::control::connect_unix;
using a2h::control::raw_member;
using a2h::control::Server;

namespace {

constexpr auto kPatience = a2h::test::kSlowdown * 5s;

std::string answer_to(const std::string& line, const std::string& result) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(*raw_member(line, "id")) + R"(,"result":)" +
           result + "}";
}

/// Answers every request with its own params.
void echo(const std::string& line, const Server::Respond& respond) {
    respond(answer_to(line, std::string(*raw_member(line, "params"))));
}

/// Keeps requests until the test answers them.
struct Held {
    struct Request {
        std::string line;
        Server::Respond respond;
    };
    a2h::Guarded<std::vector<Request>> requests;

    Server::OnLine on_line() {
        return [this](std::string line, Server::Respond respond) {
            requests.with([&](auto& all) { all.push_back({std::move(line), std::move(respond)}); });
        };
    }
    std::size_t count() {
        return requests.with([](const auto& all) { return all.size(); });
    }
    void answer_all() {
        for (auto& request : requests.with([](auto& all) { return std::exchange(all, {}); })) {
            echo(request.line, request.respond);
        }
    }
};

struct Place {
    a2h::test::TempDir dir;
    std::filesystem::path socket = dir.path() / "a2hd.sock";
};

std::unique_ptr<Server> must_start(const std::filesystem::path& path, Server::OnLine on_line) {
    auto server = Server::start(path, std::move(on_line));
    REQUIRE(server);
    return std::move(*server);
}

std::unique_ptr<Client> must_connect(const std::filesystem::path& path) {
    auto client = Client::connect(path);
    REQUIRE(client);
    return std::move(*client);
}

/// All bytes until the other side closes.
std::string read_to_end(int fd) {
    std::string all;
    char bytes[4096];
    for (ssize_t got = 0; (got = ::recv(fd, bytes, sizeof bytes, 0)) > 0;)
        all.append(bytes, static_cast<std::size_t>(got));
    return all;
}

void send_text(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

}  // namespace

TEST_CASE("a call brings back the text of the result") {
    Place place;
    const auto server = must_start(place.socket, echo);
    const auto client = must_connect(place.socket);
    CHECK(*client->call("status", R"({"a":[1,"}"]})", kPatience) == R"({"a":[1,"}"]})");
}

TEST_CASE("the socket file is for its owner only and goes with the server") {
    Place place;
    {
        const auto server = must_start(place.socket, echo);
        struct stat file {};
        REQUIRE(::lstat(place.socket.c_str(), &file) == 0);
        CHECK((file.st_mode & 0777) == 0600);
    }
    CHECK(!std::filesystem::exists(place.socket));
}

TEST_CASE("calls overlap and answers may come in any order") {
    Place place;
    Held held;
    const auto server = must_start(place.socket, held.on_line());
    const auto client = must_connect(place.socket);
    auto first = std::async(std::launch::async, [&] { return client->call("a", "1", kPatience); });
    auto second = std::async(std::launch::async, [&] { return client->call("b", "2", kPatience); });
    REQUIRE(a2h::test::eventually([&] { return held.count() == 2; }));
    held.requests.with([](auto& all) { std::swap(all[0], all[1]); });
    held.answer_all();
    CHECK(*first.get() == "1");
    CHECK(*second.get() == "2");
}

TEST_CASE("a JSON-RPC error is an invalid argument with the server's words") {
    Place place;
    const auto server = must_start(place.socket, [](const std::string& line, const auto& respond) {
        respond(R"({"id":)" + std::string(*raw_member(line, "id")) +
                R"(,"error":{"code":-32601,"message":"no method x"}})");
    });
    const auto result = must_connect(place.socket)->call("x", "{}", kPatience);
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::InvalidArgument);
    CHECK(result.error().message == "no method x");
}

TEST_CASE("an answer with neither result nor error is an internal error") {
    Place place;
    const auto server = must_start(place.socket, [](const std::string& line, const auto& respond) {
        respond(R"({"id":)" + std::string(*raw_member(line, "id")) + "}");
    });
    CHECK(must_connect(place.socket)->call("x", "{}", kPatience).error().code ==
          ErrorCode::Internal);
}

TEST_CASE("a call without an answer times out, and ends at once when it is stopped") {
    Place place;
    Held held;
    const auto server = must_start(place.socket, held.on_line());
    const auto client = must_connect(place.socket);
    CHECK(client->call("a", "{}", 1ms).error().code == ErrorCode::Timeout);
    std::stop_source stop;
    auto call = std::async(std::launch::async,
                           [&] { return client->call("b", "{}", 1h, stop.get_token()); });
    REQUIRE(a2h::test::eventually([&] { return held.count() == 2; }));
    stop.request_stop();
    CHECK(call.get().error().code == ErrorCode::Timeout);
    held.answer_all();  // late answers hurt nobody
    CHECK(client->connected());
}

TEST_CASE("calls fail as unavailable when the server ends") {
    Place place;
    Held held;
    auto server = must_start(place.socket, held.on_line());
    const auto client = must_connect(place.socket);
    auto call = std::async(std::launch::async, [&] { return client->call("a", "{}", 10s); });
    REQUIRE(a2h::test::eventually([&] { return held.count() == 1; }));
    server.reset();
    CHECK(call.get().error().code == ErrorCode::Unavailable);
    CHECK(!client->connected());
    CHECK(client->call("b", "{}", 10s).error().code == ErrorCode::Unavailable);
    held.answer_all();  // after the server: dropped
}

TEST_CASE("the end of a connection is seen while nobody calls") {
    Place place;
    auto server = must_start(place.socket, echo);
    const auto client = must_connect(place.socket);
    CHECK(client->call("a", "1", kPatience).value_or("none") == "1");
    CHECK(client->connected());
    server.reset();
    CHECK(a2h::test::eventually([&] { return !client->connected(); }));
    CHECK(client->call("b", "2", kPatience).error().code == ErrorCode::Unavailable);
}

TEST_CASE("the longest waiting thread reads for the others and hands over when it leaves") {
    Place place;
    Held held;
    const auto server = must_start(place.socket, held.on_line());
    const auto client = must_connect(place.socket);
    std::stop_source stop;
    // The first to call reads; it is stopped while the others wait.
    auto reader = std::async(std::launch::async,
                             [&] { return client->call("r", "0", kPatience, stop.get_token()); });
    REQUIRE(a2h::test::eventually([&] { return held.count() == 1; }));
    std::vector<std::future<a2h::Result<std::string>>> calls;
    for (int i = 1; i <= 20; ++i) {
        calls.push_back(std::async(std::launch::async, [&, i] {
            return client->call("c", std::to_string(i), kPatience);
        }));
    }
    REQUIRE(a2h::test::eventually([&] { return held.count() == 21; }));
    stop.request_stop();
    CHECK(reader.get().error().code == ErrorCode::Timeout);
    held.answer_all();
    for (int i = 1; i <= 20; ++i)
        CHECK(calls[static_cast<std::size_t>(i - 1)].get().value_or("none") == std::to_string(i));
}

TEST_CASE("calls of many threads get their own answers") {
    Place place;
    const auto server = must_start(place.socket, echo);
    const auto client = must_connect(place.socket);
    std::vector<std::future<int>> callers;
    for (int caller = 0; caller < 8; ++caller) {
        callers.push_back(std::async(std::launch::async, [&, caller] {
            int wrong = 0;
            for (int i = 0; i < 200; ++i) {
                const std::string params = std::to_string(caller * 1000 + i);
                if (client->call("c", params, kPatience).value_or("none") != params) ++wrong;
            }
            return wrong;
        }));
    }
    for (auto& caller : callers)
        CHECK(caller.get() == 0);
}

TEST_CASE("an answer given before the server ends still arrives") {
    Place place;
    Held held;
    auto server = must_start(place.socket, held.on_line());
    const auto client = must_connect(place.socket);
    auto call = std::async(std::launch::async, [&] { return client->call("stop", "7", 10s); });
    REQUIRE(a2h::test::eventually([&] { return held.count() == 1; }));
    held.answer_all();
    server.reset();
    CHECK(call.get().value_or("none") == "7");
}

TEST_CASE("connecting to nobody is unavailable, and a path that is too long is reported") {
    Place place;
    CHECK(Client::connect(place.socket).error().code == ErrorCode::Unavailable);
    const auto far = place.dir.path() / std::string(120, 'x');
    CHECK(Client::connect(far).error().code == ErrorCode::InvalidArgument);
    CHECK(Server::start(far, echo).error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("a second server on the same path is a conflict and leaves the first alone") {
    Place place;
    const auto server = must_start(place.socket, echo);
    CHECK(Server::start(place.socket, echo).error().code == ErrorCode::Conflict);
    CHECK(*must_connect(place.socket)->call("a", "1", kPatience) == "1");
}

TEST_CASE("a socket file left by a dead server is replaced") {
    Place place;
    {
        const auto address = a2h::control::unix_address(place.socket);
        const Fd dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        REQUIRE(::bind(dead.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) ==
                0);
    }
    REQUIRE(std::filesystem::exists(place.socket));
    const auto server = must_start(place.socket, echo);
    CHECK(*must_connect(place.socket)->call("a", "1", kPatience) == "1");
}

TEST_CASE("a file that is not a socket is left alone") {
    Place place;
    std::filesystem::create_directory(place.socket);
    CHECK(Server::start(place.socket, echo).error().code == ErrorCode::Unavailable);
    CHECK(std::filesystem::is_directory(place.socket));
}

TEST_CASE("a client that sends a line over the limit is disconnected, others are served") {
    Place place;
    const auto server = must_start(place.socket, echo);
    const auto hostile = connect_unix(place.socket);
    REQUIRE(hostile);
    std::thread sender([&] { send_text(hostile->get(), std::string(2 * 1024 * 1024, 'x')); });
    CHECK(read_to_end(hostile->get()) == "");
    sender.join();
    CHECK(*must_connect(place.socket)->call("a", "1", kPatience) == "1");
}

TEST_CASE("a client that does not read its answers is disconnected") {
    Place place;
    const std::string big = "\"" + std::string(512 * 1024, 'y') + "\"";
    const auto server =
        must_start(place.socket, [&](const std::string& line, const Server::Respond& respond) {
            respond(answer_to(line, big));
        });
    const auto lazy = connect_unix(place.socket);
    REQUIRE(lazy);
    for (int i = 0; i < 60; ++i)
        send_text(lazy->get(), "{\"id\":1}\n");
    CHECK(*must_connect(place.socket)->call("a", "1", kPatience) == big);
    const std::string read = read_to_end(lazy->get());
    CHECK(read.size() < 60 * big.size());
}

TEST_CASE("a client with too many unanswered requests waits, and all are answered in the end") {
    Place place;
    Held held;
    const auto server = must_start(place.socket, held.on_line());
    const auto eager = connect_unix(place.socket);
    REQUIRE(eager);
    constexpr std::size_t kRequests = Server::kPendingMax * 2 + 10;
    for (std::size_t i = 0; i < kRequests; ++i)
        send_text(eager->get(), "{\"id\":" + std::to_string(i) + ",\"params\":0}\n");
    ::shutdown(eager->get(), SHUT_WR);
    REQUIRE(a2h::test::eventually([&] { return held.count() == Server::kPendingMax; }));
    std::thread answering([&] {
        std::size_t answered = 0;
        a2h::test::eventually([&] {
            answered += held.count();
            held.answer_all();
            return answered >= kRequests;
        });
    });
    const std::string answers = read_to_end(eager->get());
    answering.join();
    CHECK(static_cast<std::size_t>(std::count(answers.begin(), answers.end(), '\n')) == kRequests);
}

TEST_CASE("a request that is dropped without an answer frees its place") {
    Place place;
    std::atomic<std::size_t> seen = 0;
    const auto server = must_start(place.socket, [&](const auto&, const auto&) { ++seen; });
    const auto client = connect_unix(place.socket);
    REQUIRE(client);
    for (std::size_t i = 0; i < Server::kPendingMax + 5; ++i)
        send_text(client->get(), "{\"id\":1}\n");
    CHECK(a2h::test::eventually([&] { return seen == Server::kPendingMax + 5; }));
}

TEST_CASE("no more than the allowed number of clients are served at once") {
    Place place;
    const auto server = must_start(place.socket, echo);
    std::vector<Fd> clients;
    for (std::size_t i = 0; i < Server::kClientsMax; ++i) {
        auto fd = connect_unix(place.socket);
        REQUIRE(fd);
        clients.push_back(std::move(*fd));
    }
    // All have been accepted once the last one is answered.
    send_text(clients.back().get(), "{\"id\":1,\"params\":1}\n");
    char byte = 0;
    REQUIRE(::recv(clients.back().get(), &byte, 1, 0) == 1);
    const auto refused = connect_unix(place.socket);
    REQUIRE(refused);
    CHECK(read_to_end(refused->get()) == "");
    clients.pop_back();
    CHECK(a2h::test::eventually([&] {
        auto client = Client::connect(place.socket);
        return client && (*client)->call("a", "1", 1s).has_value();
    }));
}
