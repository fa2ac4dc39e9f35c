#include "core/http/listen.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace a2h::http {
namespace {

std::uint16_t port_of(int descriptor) {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &size);
    // The port is at the same place in both kinds of address.
    return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

}  // namespace

Result<Listener> listen_on(const std::string& address, std::uint16_t port) {
    addrinfo wanted{};
    wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) {
        return fail(ErrorCode::InvalidArgument,
                    "\"" + address + "\" is not an IP address to listen on");
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> place(found, &::freeaddrinfo);
    const int descriptor = ::socket(place->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    const bool listens = descriptor >= 0 &&
                         ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                         ::bind(descriptor, place->ai_addr, place->ai_addrlen) == 0 &&
                         ::listen(descriptor, SOMAXCONN) == 0;
    if (!listens) {
        const int error = errno;
        if (descriptor >= 0) ::close(descriptor);
        return fail(error == EADDRINUSE ? ErrorCode::Conflict : ErrorCode::InvalidArgument,
                    "cannot listen on " + address + " port " + std::to_string(port) + ": " +
                        std::strerror(error));
    }
    return Listener{descriptor, place->ai_family == AF_INET6, port_of(descriptor)};
}

bool is_loopback(const std::string& address) {
    constexpr std::uint32_t kNetwork = 127;
    in_addr v4{};
    if (::inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == kNetwork;
    in6_addr v6{};
    return ::inet_pton(AF_INET6, address.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::string host_and_port(std::string_view address, std::uint16_t port) {
    const bool is_v6 = address.find(':') != std::string_view::npos;
    return (is_v6 ? "[" + std::string(address) + "]" : std::string(address)) + ":" +
           std::to_string(port);
}

}  // namespace a2h::http
