#include "core/http/server.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tests/support/process.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using http::Request;
using http::Response;
using http::Server;
using test::RawConnection;

namespace {

std::unique_ptr<Server> start(Server::Options options, Server::Handler handler) {
    auto started = Server::start(std::move(options), std::move(handler));
    REQUIRE(started);
    return std::move(*started);
}

Response echo(const Request& request) {
    return {200, {}, request.method + " " + request.path + " " + request.body};
}

Server::Options small_limits() {
    Server::Options options;
    options.header_bytes_max = 1024;
    options.body_bytes_max = 1000;
    options.idle_timeout = std::chrono::seconds(1);
    return options;
}

std::string ask(const Server& server, std::string_view request) {
    RawConnection connection(server.port());
    connection.send(request);
    return connection.read_all();
}

/// "HTTP/1.1 400 Bad Request…" → "400"; empty when there is no answer.
std::string status_of(const std::string& answer) {
    return answer.size() < 12 ? std::string() : answer.substr(9, 3);
}

}  // namespace

TEST_CASE("path and query are decoded and the target stays as it was sent") {
    const auto server = start({}, [](const Request& request) {
        return Response{200,
                        {},
                        request.target + "|" + request.path + "|" +
                            std::string(request.query_value("q")) + "|" +
                            std::string(request.query_value("empty")) + "|"};
    });
    const auto answer =
        ask(*server, "GET /a%20b/c?q=%E5%90%89+x&empty&z=1 HTTP/1.1\r\nConnection: close\r\n\r\n");
    CHECK(answer.find("/a%20b/c?q=%E5%90%89+x&empty&z=1|/a b/c|吉 x||") != std::string::npos);
}

TEST_CASE("two requests are answered on one connection") {
    const auto server = start({}, echo);
    RawConnection connection(server->port());
    connection.send("GET /1 HTTP/1.1\r\n\r\n");
    CHECK(connection.read_until("GET /1 ").find("200 OK") != std::string::npos);
    connection.send("GET /2 HTTP/1.1\r\n\r\n");
    CHECK(connection.read_until("GET /2 ").find("200 OK") != std::string::npos);
}

TEST_CASE("requests that were sent without waiting are answered in order") {
    const auto server = start({}, echo);
    const auto answer = ask(*server,
                            "POST /1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
                            "GET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
    CHECK(answer.find("POST /1 abc") < answer.find("GET /2 "));
    CHECK(answer.find("GET /2 ") != std::string::npos);
}

TEST_CASE("a client that waits for 100 Continue is told to go on") {
    const auto server = start({}, echo);
    RawConnection connection(server->port());
    connection.send("POST /x HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    CHECK(connection.read_until("\r\n\r\n").starts_with("HTTP/1.1 100 "));
    connection.send("hi");
    CHECK(connection.read_until("POST /x hi").find("POST /x hi") != std::string::npos);
}

TEST_CASE("HEAD is answered with the length and without the body") {
    const auto server = start({}, echo);
    const auto answer = ask(*server, "HEAD /x HTTP/1.1\r\nConnection: close\r\n\r\n");
    CHECK(answer.find("Content-Length: 8") != std::string::npos);
    CHECK(answer.ends_with("\r\n\r\n"));
}

TEST_CASE("a body over the limit gets 413, announced or chunked") {
    const auto server = start(small_limits(), echo);
    const std::string body(1001, 'x');
    CHECK(status_of(ask(*server, "POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n" + body)) ==
          "413");
    CHECK(status_of(ask(*server, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" +
                                     body + "\r\n0\r\n\r\n")) == "413");
}

TEST_CASE("a body at the limit is taken") {
    const auto server = start(small_limits(), echo);
    CHECK(status_of(
              ask(*server, "POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n" +
                               std::string(1000, 'x'))) == "200");
}

TEST_CASE("a header over the limit gets 431") {
    const auto server = start(small_limits(), echo);
    CHECK(status_of(ask(*server, "GET / HTTP/1.1\r\nX: " + std::string(2000, 'x') + "\r\n\r\n")) ==
          "431");
    CHECK(status_of(ask(*server, "GET /" + std::string(2000, 'x'))) == "431");
}

TEST_CASE("requests that are not HTTP get 400") {
    const auto server = start(small_limits(), echo);
    CHECK(status_of(ask(*server, "\x16\x03\x01 hello\r\n\r\n")) == "400");
    CHECK(status_of(ask(*server, "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n")) == "400");
    CHECK(status_of(ask(*server,
                        "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: "
                        "chunked\r\n\r\n0\r\n\r\n")) == "400");
    CHECK(status_of(ask(*server, "GET /%zz HTTP/1.1\r\n\r\n")) == "400");
    CHECK_FALSE(http::parse_form(std::string_view("a=\0", 3)));
    CHECK(status_of(ask(*server, "GET /%00 HTTP/1.1\r\n\r\n")) == "400");
    CHECK(status_of(ask(*server, "GET /?a=%2 HTTP/1.1\r\n\r\n")) == "400");
    CHECK(status_of(ask(*server, "GET http://other/ HTTP/1.1\r\n\r\n")) == "400");
}

TEST_CASE("a client that sends nothing, or half a header, or half a body, is cut") {
    const auto server = start(small_limits(), echo);
    CHECK(ask(*server, "").empty());
    CHECK(ask(*server, "GET / HT").empty());
    CHECK(ask(*server, "POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf").empty());
}

TEST_CASE("a client that trickles its header is cut when the whole took too long") {
    const auto server = start(small_limits(), echo);
    RawConnection connection(server->port());
    connection.send("GET / HTTP/1.1\r\n");
    int sent = 0;
    const bool cut = test::eventually(
        [&] { return ++sent > 100000 || !connection.send("X: y\r\n"); }, std::chrono::seconds(5));
    CHECK(cut);
    CHECK(connection.read_all().find("200 OK") == std::string::npos);
}

TEST_CASE("connections over the limit are closed and those within it still served") {
    auto options = small_limits();
    options.connections_max = 1;
    options.idle_timeout = std::chrono::seconds(10);
    const auto server = start(options, echo);
    RawConnection first(server->port());
    first.send("GET /1 HTTP/1.1\r\n\r\n");
    REQUIRE(first.read_until("GET /1 ").find("200 OK") != std::string::npos);
    CHECK(ask(*server, "GET /2 HTTP/1.1\r\n\r\n").empty());
    first.send("GET /3 HTTP/1.1\r\n\r\n");
    CHECK(first.read_until("GET /3 ").find("200 OK") != std::string::npos);
}

TEST_CASE("a handler that throws is answered with 500 and the server goes on") {
    const auto server = start({}, [](const Request& request) -> Response {
        if (request.path == "/throw") throw std::runtime_error("no");
        return {200, {}, "fine"};
    });
    CHECK(status_of(ask(*server, "GET /throw HTTP/1.1\r\nConnection: close\r\n\r\n")) == "500");
    CHECK(status_of(ask(*server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n")) == "200");
}

TEST_CASE("stopping answers what runs and does not wait for idle connections") {
    std::atomic<bool> entered = false;
    std::atomic<bool> go_on = false;
    auto server = start({}, [&](const Request& request) {
        entered = true;
        test::eventually([&go_on] { return go_on.load(); });
        return echo(request);
    });
    RawConnection idle(server->port());
    RawConnection busy(server->port());
    busy.send("GET /late HTTP/1.1\r\n\r\n");
    REQUIRE(test::eventually([&entered] { return entered.load(); }));
    std::thread stopping([&server] { server.reset(); });
    CHECK(idle.read_all().empty());  // closed: stopping has begun
    go_on = true;
    CHECK(busy.read_all().find("GET /late ") != std::string::npos);
    stopping.join();
}

TEST_CASE("a taken port is a Conflict and a name is no address") {
    const auto server = start({}, echo);
    Server::Options options;
    options.port = server->port();
    const auto second = Server::start(options, echo);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == ErrorCode::Conflict);
    options.address = "not an address";
    const auto third = Server::start(options, echo);
    REQUIRE_FALSE(third);
    CHECK(third.error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("quick requests are answered while handlers that block take all their threads") {
    std::atomic<bool> entered = false;
    std::atomic<bool> go_on = false;
    Server::Options options;
    options.handler_threads = 1;
    options.quick = [](const Request& request) { return request.method == "GET"; };
    const auto server = start(options, [&](const Request& request) {
        if (request.method == "POST") {
            entered = true;
            test::eventually([&go_on] { return go_on.load(); });
        }
        return echo(request);
    });
    RawConnection busy(server->port());
    busy.send("POST /slow HTTP/1.1\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
    REQUIRE(test::eventually([&entered] { return entered.load(); }));
    CHECK(status_of(ask(*server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n")) == "200");
    go_on = true;
    CHECK(busy.read_all().find("POST /slow x") != std::string::npos);
}

TEST_CASE("several I/O threads serve many connections at the same time") {
    Server::Options options;
    options.io_threads = 4;
    options.quick = [](const Request&) { return true; };
    const auto server = start(options, echo);
    std::atomic<int> good = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i) {
        clients.emplace_back([&] {
            RawConnection connection(server->port());
            for (int n = 0; n < 200; ++n) {
                const auto mark = "/" + std::to_string(n) + "x ";
                connection.send("GET " + mark + "HTTP/1.1\r\n\r\n");
                if (connection.read_until(mark).find("200 OK") != std::string::npos) ++good;
            }
        });
    }
    for (auto& client : clients)
        client.join();
    CHECK(good == 1600);
}
