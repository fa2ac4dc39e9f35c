#include "core/http/client.h"

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "core/http/server.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using http::Client;
using http::ClientRequest;
using test::RawConnection;
using test::RawServer;

namespace {

std::unique_ptr<http::Server> serve(http::Server::Handler handler) {
    auto started = http::Server::start({}, std::move(handler));
    REQUIRE(started);
    return std::move(*started);
}

std::string url(const http::Server& server, std::string_view path = "/") {
    return "http://127.0.0.1:" + std::to_string(server.port()) + std::string(path);
}

ErrorCode error_of(const ClientRequest& request) {
    Client client({});
    const auto answer = client.send(request);
    REQUIRE_FALSE(answer);
    return answer.error().code;
}

constexpr std::string_view kOkKeepAlive =
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok";

}  // namespace

TEST_CASE("method, path, headers and body arrive, and status, headers and body come back") {
    const auto server = serve([](const http::Request& request) {
        return http::Response{201,
                              {{"X-Echo", std::string(request.header("x-mine"))}},
                              request.method + " " + request.target + " " + request.body};
    });
    Client client({});
    const auto answer = client.send({.method = "PUT",
                                     .url = url(*server, "/a?b=c"),
                                     .headers = {{"X-Mine", "1"}},
                                     .body = "hi"});
    REQUIRE(answer);
    CHECK(answer->status == 201);
    CHECK(answer->body == "PUT /a?b=c hi");
    bool echoed = false;
    for (const auto& [name, value] : answer->headers)
        echoed = echoed || (name == "x-echo" && value == "1");
    CHECK(echoed);
}

TEST_CASE("a status of 400 or more is an answer, not an error") {
    const auto server = serve([](const http::Request&) { return http::Response{503, {}, "no"}; });
    Client client({});
    const auto answer = client.send({.url = url(*server)});
    REQUIRE(answer);
    CHECK(answer->status == 503);
}

TEST_CASE("the status is passed on once, before the first piece of the body") {
    const auto server = serve([](const http::Request&) {
        return http::Response{503, {}, std::string(100'000, 'x')};
    });
    Client client({});
    std::vector<int> told;
    const auto answer =
        client.send({.url = url(*server),
                     .on_status = [&](int status) { told.push_back(status); },
                     .on_data = [&](std::string_view) { return told.size() == 1; }});
    REQUIRE(answer);
    CHECK(told == std::vector<int>{503});
}
TEST_CASE("a redirect is handed back and not followed") {
    const auto server = serve([](const http::Request& request) {
        if (request.path != "/") return http::Response{200, {}, "followed"};
        return http::Response{302, {{"Location", "/other"}}, ""};
    });
    Client client({});
    const auto answer = client.send({.url = url(*server)});
    REQUIRE(answer);
    CHECK(answer->status == 302);
}

TEST_CASE("nobody listening is Unavailable") {
    CHECK(error_of({.url = "http://127.0.0.1:" + std::to_string(test::free_port())}) ==
          ErrorCode::Unavailable);
}

TEST_CASE("an answer that does not come in time is a Timeout") {
    std::atomic<bool> done = false;
    RawServer server([&done](RawConnection& connection, int) {
        connection.read_until("\r\n\r\n");
        test::eventually([&done] { return done.load(); });
    });
    CHECK(error_of({.url = server.url(), .timeout = std::chrono::milliseconds(150)}) ==
          ErrorCode::Timeout);
    done = true;
}

TEST_CASE("a connection that ends before the answer is a Timeout, because the request was sent") {
    RawServer server([](RawConnection& connection, int) { connection.read_until("\r\n\r\n"); });
    CHECK(error_of({.method = "POST", .url = server.url(), .body = "x"}) == ErrorCode::Timeout);
}

TEST_CASE("a write whose answer is lost on a kept connection is not sent twice") {
    std::atomic<int> orders = 0;
    RawServer server([&orders](RawConnection& connection, int) {
        std::string heard;
        while (heard.find("order") == std::string::npos) {
            heard = connection.read_until("\r\n\r\n", std::chrono::milliseconds(300));
            if (heard.empty()) return;
            if (heard.find("/first") != std::string::npos) connection.send(kOkKeepAlive);
        }
        ++orders;
    });
    Client client({});
    REQUIRE(client.send({.url = server.url() + "first"}));
    ClientRequest order{.url = server.url() + "order", .timeout = std::chrono::milliseconds(2000)};
    SUBCASE("a POST with a body") {
        order.method = "POST";
        order.body = "x";
    }
    SUBCASE("a POST without a body") {
        order.method = "POST";
    }
    SUBCASE("a DELETE") {
        order.method = "DELETE";
    }
    const auto lost = client.send(order);
    REQUIRE_FALSE(lost);
    CHECK(lost.error().code == ErrorCode::Timeout);
    CHECK(orders == 1);
}

TEST_CASE("an answer over its limit is ResourceExhausted") {
    const auto server = serve([](const http::Request&) {
        return http::Response{200, {}, std::string(5000, 'x')};
    });
    CHECK(error_of({.url = url(*server), .answer_bytes_max = 4000}) ==
          ErrorCode::ResourceExhausted);
}

TEST_CASE("endless headers are ResourceExhausted") {
    RawServer server([](RawConnection& connection, int) {
        connection.read_until("\r\n\r\n");
        connection.send("HTTP/1.1 200 OK\r\n");
        while (connection.send("X-More: " + std::string(1000, 'x') + "\r\n")) {
        }
    });
    CHECK(error_of({.url = server.url(), .answer_bytes_max = 50'000}) ==
          ErrorCode::ResourceExhausted);
}

TEST_CASE("a malformed URL, another scheme and broken headers are InvalidArgument") {
    CHECK(error_of({.url = "http://"}) == ErrorCode::InvalidArgument);
    CHECK(error_of({.url = "file:///etc/hostname"}) == ErrorCode::InvalidArgument);
    CHECK(error_of({.url = "http://127.0.0.1/\r\nX: y"}) == ErrorCode::InvalidArgument);
    CHECK(error_of({.method = "GET /x", .url = "http://127.0.0.1/"}) == ErrorCode::InvalidArgument);
    CHECK(error_of({.url = "http://127.0.0.1/", .headers = {{"X-A", "1\r\nX-B: 2"}}}) ==
          ErrorCode::InvalidArgument);
    CHECK(error_of({.url = "http://127.0.0.1/", .headers = {{"X A", "1"}}}) ==
          ErrorCode::InvalidArgument);
}

TEST_CASE("errors name the host and keep path, query and password to themselves") {
    Client client({});
    const std::string port = std::to_string(test::free_port());
    const auto answer =
        client.send({.url = "http://u:secret@127.0.0.1:" + port + "/p?token=secret"});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().message.find("127.0.0.1:" + port) != std::string::npos);
    CHECK(answer.error().message.find("secret") == std::string::npos);
}

TEST_CASE("something that does not speak TLS is never talked to in clear") {
    std::atomic<bool> clear_text = false;
    RawServer server([&clear_text](RawConnection& connection, int) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        clear_text = connection.read_until("GET").find("GET /") != std::string::npos;
    });
    CHECK(error_of({.url = "https://127.0.0.1:" + std::to_string(server.port()) + "/"}) ==
          ErrorCode::Unavailable);
    CHECK_FALSE(clear_text);
}

TEST_CASE("calls of many threads run at the same time") {
    std::atomic<int> inside = 0;
    http::Server::Options options;
    options.handler_threads = 4;
    auto server = http::Server::start(options, [&inside](const http::Request&) {
        ++inside;
        // Each answer waits for all four: a client with one handle would never get here.
        const bool all = test::eventually([&inside] { return inside.load() >= 4; });
        return http::Response{all ? 200 : 500, {}, ""};
    });
    REQUIRE(server);
    Client client({});
    std::atomic<int> good = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const auto answer = client.send({.url = url(**server)});
            if (answer && answer->status == 200) ++good;
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(good == 4);
}

TEST_CASE("a file is sent as the body and its size is announced") {
    const test::TempDir dir;
    const std::string bytes(300'000, 'f');
    std::ofstream(dir.path() / "a") << bytes;
    const auto server = serve([&bytes](const http::Request& request) {
        return http::Response{
            request.body == bytes ? 200 : 400, {}, std::string(request.header("content-length"))};
    });
    Client client({});
    const auto answer = client.send({.method = "PUT",
                                     .url = url(*server),
                                     .body_file = dir.path() / "a",
                                     .body_file_bytes_max = bytes.size()});
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(answer->body == "300000");
}

TEST_CASE(
    "a body file that is missing, no file, or over its limit is told before anything is sent") {
    const test::TempDir dir;
    std::ofstream(dir.path() / "a") << "12345";
    const std::string nobody = "http://127.0.0.1:" + std::to_string(test::free_port());
    CHECK(error_of({.method = "PUT", .url = nobody, .body_file = dir.path() / "b"}) ==
          ErrorCode::NotFound);
    CHECK(error_of({.method = "PUT", .url = nobody, .body_file = dir.path()}) ==
          ErrorCode::NotFound);
    CHECK(error_of({.method = "PUT",
                    .url = nobody,
                    .body_file = dir.path() / "a",
                    .body_file_bytes_max = 4}) == ErrorCode::ResourceExhausted);
}

TEST_CASE("a refusal that comes before a long body has left is the answer") {
    const test::TempDir dir;
    std::ofstream(dir.path() / "a") << std::string(8'000'000, 'f');
    const auto server = serve([](const http::Request&) { return http::Response{}; });
    Client client({});
    const auto answer = client.send({.method = "PUT",
                                     .url = url(*server),
                                     .body_file = dir.path() / "a",
                                     .body_file_bytes_max = 8'000'000});
    REQUIRE(answer);
    CHECK(answer->status == 413);
}
