#include "core/mqtt/no_delay.h"

#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <charconv>
#include <memory>
#include <optional>

namespace a2h::mqtt {
namespace {

std::optional<int> descriptor(const char* name) {
    const std::string_view text(name);
    int fd = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fd);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return fd;
}

/// 0 if `fd` is not a connected TCP socket.
std::uint16_t peer_port(int fd) {
    sockaddr_storage peer{};
    socklen_t length = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) return 0;
    if (peer.ss_family == AF_INET) return ntohs(reinterpret_cast<sockaddr_in*>(&peer)->sin_port);
    if (peer.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6*>(&peer)->sin6_port);
    return 0;
}

template <typename Function>
std::size_t for_each_socket(std::uint16_t port, Function&& function) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), &::closedir);
    if (!folder || port == 0) return 0;
    std::size_t found = 0;
    while (const dirent* entry = ::readdir(folder.get())) {
        const auto fd = descriptor(entry->d_name);
        if (!fd || peer_port(*fd) != port) continue;
        function(*fd);
        ++found;
    }
    return found;
}

}  // namespace

std::uint16_t broker_port(std::string_view uri) {
    const bool tls = uri.starts_with("mqtts://");
    if (!tls && !uri.starts_with("mqtt://")) return 0;
    const std::string_view address = uri.substr(tls ? 8 : 7);
    const auto colon = address.rfind(':');
    const auto bracket = address.rfind(']');
    const bool has_port =
        colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
    if (!has_port) return tls ? 8883 : 1883;
    const std::string_view text = address.substr(colon + 1);
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() ? port : std::uint16_t{0};
}

std::size_t set_no_delay(std::uint16_t port) {
    return for_each_socket(port, [](int fd) {
        const int on = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    });
}

std::size_t shut_down_sockets(std::uint16_t port) {
    return for_each_socket(port, [](int fd) { ::shutdown(fd, SHUT_RDWR); });
}

}  // namespace a2h::mqtt
