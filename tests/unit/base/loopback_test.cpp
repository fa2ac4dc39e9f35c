#include "core/base/loopback.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace a2h {
namespace {

TEST_CASE("a free port of loopback accepts connections as long as somebody listens there") {
    const auto port = free_loopback_port();
    REQUIRE(port);
    REQUIRE(*port != 0);
    CHECK_FALSE(accepts_connections(*port));
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(*port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(fd, 1) == 0);
    CHECK(accepts_connections(*port));
    ::close(fd);
    CHECK_FALSE(accepts_connections(*port));
}

}  // namespace
}  // namespace a2h
