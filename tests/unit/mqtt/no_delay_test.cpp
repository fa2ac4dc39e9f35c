#include "core/mqtt/no_delay.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/mqtt/connection.h"

using namespace a2h::mqtt;

namespace {

/// A connected pair over loopback; `port` is the listening side's.
struct Loopback {
    Loopback() : listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* const raw = reinterpret_cast<sockaddr*>(&address);
        REQUIRE(::bind(listener, raw, length) == 0);
        REQUIRE(::listen(listener, 1) == 0);
        REQUIRE(::getsockname(listener, raw, &length) == 0);
        port = ntohs(address.sin_port);
        client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(::connect(client, raw, length) == 0);
    }
    ~Loopback() {
        ::close(client);
        ::close(listener);
    }
    int listener;
    int client = -1;
    std::uint16_t port = 0;
};

bool no_delay(int fd) {
    int on = 0;
    socklen_t length = sizeof on;
    REQUIRE(::getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &length) == 0);
    return on != 0;
}

}  // namespace

TEST_CASE("a broker's port is read from its address, or is the protocol's default") {
    CHECK(broker_port("mqtt://broker.example:1999") == 1999);
    CHECK(broker_port("mqtts://broker.example:443") == 443);
    CHECK(broker_port("mqtt://broker.example") == 1883);
    CHECK(broker_port("mqtts://broker.example") == 8883);
    CHECK(broker_port("mqtt://[::1]:1999") == 1999);
    CHECK(broker_port("mqtt://[::1]") == 1883);
}

TEST_CASE("an address without a usable port has port 0") {
    for (const char* uri : {"", "http://broker", "mqtt://broker:", "mqtt://broker:x",
                            "mqtt://broker:70000", "mqtt://broker:1883/path"}) {
        CAPTURE(uri);
        CHECK(broker_port(uri) == 0);
    }
}

TEST_CASE("Nagle's algorithm is switched off on the sockets of that port only") {
    Loopback broker;
    Loopback other;
    CHECK(set_no_delay(broker.port) == 1);
    CHECK(no_delay(broker.client));
    CHECK_FALSE(no_delay(other.client));
}

TEST_CASE("a socket that was shut down can send nothing more") {
    Loopback broker;
    Loopback other;
    CHECK(shut_down_sockets(broker.port) == 1);
    CHECK(::send(broker.client, "x", 1, MSG_NOSIGNAL) == -1);
    CHECK(::send(other.client, "x", 1, MSG_NOSIGNAL) == 1);
}

TEST_CASE("port 0 means no socket at all") {
    Loopback broker;
    CHECK(set_no_delay(0) == 0);
    CHECK(shut_down_sockets(0) == 0);
}

TEST_CASE("topic and client id are those of the protocol") {
    CHECK(receive_topic("ag_seller") == "P2P_TOPIC/p2p/GID_agent@@@ag_seller");
    CHECK(listener_client_id("ag_seller") == "GID_agent@@@ag_seller");
}
