#include "core/systemd/activation.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "core/systemd/environment.h"

namespace a2h::systemd {
namespace {

/// After the three standard streams.
///
/// Source:  SD_LISTEN_FDS_START in sd-daemon.h.
constexpr int kFirstDescriptor = 3;

int socket_option(int fd, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

bool is_listening_unix_stream(int fd) {
    return socket_option(fd, SO_DOMAIN) == AF_UNIX && socket_option(fd, SO_TYPE) == SOCK_STREAM &&
           socket_option(fd, SO_ACCEPTCONN) == 1;
}

}  // namespace

Result<std::optional<int>> take_listening_socket() {
    const auto count = number("LISTEN_FDS");
    const bool is_ours = number("LISTEN_PID") == ::getpid() && count && *count > 0;
    if (!is_ours) return std::optional<int>();
    if (*count > 1) {
        return invalid("the service manager has handed over " + std::to_string(*count) +
                       " sockets; the socket unit may have only one ListenStream=");
    }
    const int fd = kFirstDescriptor;
    if (!is_listening_unix_stream(fd)) {
        return invalid(
            "the socket that the service manager has handed over is not a listening Unix socket; "
            "ListenStream= of the socket unit must be a path");
    }
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return std::optional<int>(fd);
}

std::filesystem::path credentials_folder() {
    return variable("CREDENTIALS_DIRECTORY");
}

}  // namespace a2h::systemd
