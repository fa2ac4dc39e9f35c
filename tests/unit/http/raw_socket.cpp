#include "tests/unit/http/raw_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/check.h"

namespace a2h::test {
namespace {

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

}  // namespace

RawConnection::RawConnection(std::uint16_t port)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const auto address = loopback(port);
    A2H_CHECK(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

RawConnection::~RawConnection() {
    ::close(fd_);
}

bool RawConnection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string RawConnection::read_until(std::string_view end, std::chrono::milliseconds patience) {
    const timeval most{patience.count() / 1000, patience.count() % 1000 * 1000};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    std::string text;
    while (end.empty() || text.find(end) == std::string::npos) {
        char chunk[4096];
        const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
        if (got <= 0) break;
        text.append(chunk, static_cast<std::size_t>(got));
    }
    return text;
}

RawServer::RawServer(std::function<void(RawConnection&, int)> serve)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    auto address = loopback(0);
    socklen_t length = sizeof address;
    A2H_CHECK(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), length) == 0);
    A2H_CHECK(::listen(fd_, 8) == 0);
    A2H_CHECK(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([fd = fd_, serve = std::move(serve)] {
        for (int number = 0;; ++number) {
            const int accepted = ::accept(fd, nullptr, nullptr);
            if (accepted < 0) return;
            RawConnection connection(accepted);
            serve(connection, number);
        }
    });
}

RawServer::~RawServer() {
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    ::close(fd_);
}

}  // namespace a2h::test
