#include "core/http/transfers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>

#include "core/http/client.h"
#include "core/http/smtp.h"
#include "tests/support/process.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using namespace std::chrono_literals;
using http::Client;
using http::Transfers;
using test::RawConnection;
using test::RawServer;

namespace {

/// Much longer than any test waits.
constexpr auto kCallLimit = 120s;

/// Takes one connection, reads from it up to `until` and says nothing.
class SilentServer {
  public:
    explicit SilentServer(std::string until)
        : server_([this, until = std::move(until)](RawConnection& connection, int) {
              if (!until.empty()) connection.read_until(until);
              reached_.set_value();
              over_.get_future().wait();
          }) {}
    ~SilentServer() { over_.set_value(); }

    std::uint16_t port() const { return server_.port(); }
    std::string url() const { return server_.url(); }
    bool is_reached() {
        return reached_.get_future().wait_for(test::kSlowdown * 20s) == std::future_status::ready;
    }

  private:
    std::promise<void> reached_;
    std::promise<void> over_;
    RawServer server_;
};

template <typename T>
bool is_over(const std::future<T>& call) {
    return call.wait_for(test::kSlowdown * 20s) == std::future_status::ready;
}

}  // namespace

TEST_CASE("an unanswered call ends with its transfers and may have been sent") {
    SilentServer server("order");
    Transfers transfers;
    Client client({.transfers = &transfers});
    auto call = std::async(std::launch::async, [&] {
        return client.send(
            {.method = "POST", .url = server.url(), .body = "order", .timeout = kCallLimit});
    });
    REQUIRE(server.is_reached());
    CHECK_FALSE(client.is_ended());
    transfers.end();
    REQUIRE(is_over(call));
    const auto answer = call.get();
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == ErrorCode::Timeout);
    CHECK(answer.error().message.ends_with("ended with the program"));
    CHECK(client.is_ended());
}

TEST_CASE("a long poll and an answer that never ends are ended with their transfers, too") {
    Transfers transfers;
    Client client({.transfers = &transfers});
    std::promise<void> begun;
    RawServer server([](RawConnection& connection, int) {
        connection.read_until("\r\n\r\n");
        connection.send("HTTP/1.1 200 OK\r\n\r\nfirst");
        connection.read_until("nothing comes");  // until the client has gone
    });
    auto call = std::async(std::launch::async, [&] {
        http::ClientRequest request{.url = server.url(), .timeout = kCallLimit};
        request.on_data = [&](std::string_view) { return begun.set_value(), true; };
        request.keep_going = [] { return true; };
        return client.send(request);
    });
    REQUIRE(begun.get_future().wait_for(test::kSlowdown * 20s) == std::future_status::ready);
    transfers.end();
    REQUIRE(is_over(call));
    CHECK(call.get().error().code == ErrorCode::Timeout);
}

TEST_CASE("once the transfers have ended nothing is sent any more") {
    std::atomic<int> connections = 0;
    RawServer server([&connections](RawConnection&, int) { ++connections; });
    Transfers transfers;
    Client client({.transfers = &transfers});
    transfers.end();
    const auto answer = client.send({.url = server.url()});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == ErrorCode::Unavailable);
    const auto mail = http::send_mail({.url = "smtp://127.0.0.1:" + std::to_string(server.port()),
                                       .from = "a@example.com",
                                       .to = "b@example.com",
                                       .text = "hello",
                                       .transfers = &transfers});
    REQUIRE_FALSE(mail);
    CHECK(mail.error().code == ErrorCode::Unavailable);
    CHECK(connections == 0);
}

TEST_CASE("a silent mail server does not delay the end of the transfers") {
    SilentServer server("");
    Transfers transfers;
    auto call = std::async(std::launch::async, [&] {
        return http::send_mail({.url = "smtp://127.0.0.1:" + std::to_string(server.port()),
                                .from = "a@example.com",
                                .to = "b@example.com",
                                .text = "hello",
                                .timeout = kCallLimit,
                                .transfers = &transfers});
    });
    REQUIRE(server.is_reached());
    transfers.end();
    REQUIRE(is_over(call));
    CHECK(call.get().error().code == ErrorCode::Unavailable);
}

TEST_CASE("ending one client's transfers leaves those of another alone") {
    RawServer server([](RawConnection& connection, int) {
        connection.read_until("\r\n\r\n");
        connection.send("HTTP/1.1 204 No Content\r\n\r\n");
    });
    Transfers ended;
    Transfers running;
    ended.end();
    Client client({.transfers = &running});
    CHECK(client.send({.url = server.url()}));
}
