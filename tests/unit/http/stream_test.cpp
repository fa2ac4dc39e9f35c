#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/tls_front.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using http::Request;
using http::Response;
using http::Server;
using http::Stream;
using http::TlsFront;
using test::eventually;
using test::RawConnection;

namespace {

constexpr std::string_view kAsk = "GET / HTTP/1.1\r\n\r\n";

/// A server whose only answer goes on; `taken` gets the stream of each request.
struct Streaming {
    std::promise<std::shared_ptr<Stream>> taken;
    std::unique_ptr<Server> server = start();

    std::unique_ptr<Server> start() {
        auto started = Server::start({}, [this](const Request&) {
            Response response{200, {{"Content-Type", "text/event-stream"}}, {}};
            response.stream = [this](std::shared_ptr<Stream> stream) {
                taken.set_value(std::move(stream));
            };
            return response;
        });
        REQUIRE(started);
        return std::move(*started);
    }
    std::shared_ptr<Stream> stream() { return taken.get_future().get(); }
};

/// A certificate for 127.0.0.1 that signs itself.
struct Certificate {
    Certificate() {
        const auto made = test::run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                                     "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                                     "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                                     "-keyout", key().string(), "-out", file().string()});
        REQUIRE_MESSAGE(made.status == 0, made.err);
    }
    std::filesystem::path file() const { return dir.path() / "cert.pem"; }
    std::filesystem::path key() const { return dir.path() / "key.pem"; }

    test::TempDir dir;
};

}  // namespace

TEST_CASE("a stream's pieces arrive as they are sent, and its end ends the connection") {
    Streaming streaming;
    RawConnection connection(streaming.server->port());
    connection.send(kAsk);
    const auto stream = streaming.stream();
    CHECK(stream->send("one\n"));
    const std::string head = connection.read_until("one\n");
    CHECK(head.find("200 OK") != std::string::npos);
    CHECK(head.find("text/event-stream") != std::string::npos);
    CHECK(head.find("Content-Length") == std::string::npos);
    CHECK(stream->send("two\n"));
    connection.read_until("two\n");
    CHECK(stream->send("three\n"));
    stream->close();
    CHECK(connection.read_all().ends_with("three\n"));
    CHECK_FALSE(stream->send("four\n"));
}

TEST_CASE("HEAD of a stream is answered with its header alone") {
    Streaming streaming;
    RawConnection connection(streaming.server->port());
    connection.send("HEAD / HTTP/1.1\r\n\r\n");
    CHECK(connection.read_all().ends_with("\r\n\r\n"));
}

TEST_CASE("a stream whose reader has gone takes nothing any more") {
    Streaming streaming;
    std::shared_ptr<Stream> stream;
    {
        RawConnection connection(streaming.server->port());
        connection.send(kAsk);
        stream = streaming.stream();
        stream->send("one\n");
        connection.read_until("one\n");
    }
    CHECK(eventually([&] { return !stream->send("more\n"); }));
}

TEST_CASE("a reader that takes nothing is cut off before it costs memory") {
    Streaming streaming;
    RawConnection connection(streaming.server->port());
    connection.send(kAsk);
    const auto stream = streaming.stream();
    const std::string piece(64 * 1024, 'x');
    int taken = 0;
    while (taken < 10'000 && stream->send(piece))
        ++taken;
    // The capacity of the kernel's buffers, and the amount that may wait here.
    CHECK(taken < 1'000);
    CHECK_FALSE(stream->send("late"));
}

TEST_CASE("stopping ends streams at once, and what is sent afterwards goes nowhere") {
    auto streaming = std::make_unique<Streaming>();
    RawConnection connection(streaming->server->port());
    connection.send(kAsk);
    const auto stream = streaming->stream();
    stream->send("one\n");
    connection.read_until("one\n");
    const auto start = std::chrono::steady_clock::now();
    streaming->server.reset();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
    CHECK_FALSE(stream->send("late"));
    stream->close();
}

TEST_CASE("TLS in front of a server: requests, streams and a client without authorities") {
    const Certificate certificate;
    Streaming streaming;
    auto front = TlsFront::start({.certificate_file = certificate.file(),
                                  .key_file = certificate.key(),
                                  .target_port = streaming.server->port()});
    REQUIRE_MESSAGE(front, (front ? "" : front.error().message));
    const std::string url = "https://127.0.0.1:" + std::to_string((*front)->port()) + "/";
    http::Client stranger({});
    CHECK_FALSE(stranger.send({.url = url}));

    auto answer = std::async(std::launch::async, [&] {
        http::Client client({.ca_file = certificate.file().string()});
        return client.send({.url = url});
    });
    const auto stream = streaming.stream();
    stream->send(std::string(100'000, 'x'));
    stream->close();
    const auto got = answer.get();
    REQUIRE_MESSAGE(got, (got ? "" : got.error().message));
    CHECK(got->status == 200);
    CHECK(got->body.size() == 100'000);

    // Plain HTTP on the TLS port is closed, and no connection hangs.
    RawConnection plain((*front)->port());
    plain.send(kAsk);
    CHECK(plain.read_all().find("HTTP/1.1") == std::string::npos);
}

TEST_CASE("TLS keeps connections for further requests and ends with its object") {
    const Certificate certificate;
    const auto server = Server::start({}, [](const Request& request) {
        return Response{200, {}, request.path};
    });
    REQUIRE(server);
    auto front = TlsFront::start({.certificate_file = certificate.file(),
                                  .key_file = certificate.key(),
                                  .target_port = (*server)->port()});
    REQUIRE(front);
    const std::string url = "https://127.0.0.1:" + std::to_string((*front)->port());
    http::Client client({.ca_file = certificate.file().string()});
    for (int i = 0; i < 20; ++i) {
        const auto got = client.send({.url = url + "/" + std::to_string(i)});
        REQUIRE_MESSAGE(got, (got ? "" : got.error().message));
        CHECK(got->body == "/" + std::to_string(i));
    }
    front->reset();
    CHECK_FALSE(client.send({.url = url + "/late"}));
}

TEST_CASE("TLS refuses files that are no certificate, or another one's key, and a taken port") {
    const Certificate one;
    const Certificate other;
    const auto code = [](const TlsFront::Options& options) {
        const auto front = TlsFront::start(options);
        return front ? std::string() : std::string(to_string(front.error().code));
    };
    CHECK(code({.certificate_file = "/none", .key_file = one.key()}) == "invalid_argument");
    CHECK(code({.certificate_file = one.file(), .key_file = other.key()}) == "invalid_argument");
    CHECK(code({.certificate_file = one.key(), .key_file = one.key()}) == "invalid_argument");
    const TlsFront::Options good{.certificate_file = one.file(), .key_file = one.key()};
    const auto front = TlsFront::start(good);
    REQUIRE(front);
    TlsFront::Options taken = good;
    taken.port = (*front)->port();
    CHECK(code(taken) == "conflict");
    taken.address = "localhost";
    CHECK(code(taken) == "invalid_argument");
}
