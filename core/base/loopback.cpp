#include "core/base/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "core/base/fd.h"

namespace a2h {
namespace {

/// With 0 the system chooses the port.
sockaddr_in loopback_address(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

}  // namespace

Result<std::uint16_t> free_loopback_port() {
    const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback_address(0);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    const bool bound = fd && ::bind(fd.get(), generic, length) == 0 &&
                       ::getsockname(fd.get(), generic, &length) == 0;
    if (!bound) return fail(ErrorCode::Unavailable, "no free port on 127.0.0.1");
    return ntohs(address.sin_port);
}

bool accepts_connections(std::uint16_t port) {
    const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback_address(port);
    return fd &&
           ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace a2h
