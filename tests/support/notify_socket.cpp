#include "tests/support/notify_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "tests/support/process.h"

namespace a2h::test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

NotifySocket::NotifySocket(std::string name)
    : name_(std::move(name)), fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    A2H_CHECK(name_.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, name_.data(), name_.size());
    if (name_.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
    A2H_CHECK(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
}

NotifySocket::~NotifySocket() {
    ::close(fd_);
}

std::optional<std::string> NotifySocket::next(milliseconds timeout) {
    pollfd readable{fd_, POLLIN, 0};
    if (::poll(&readable, 1, static_cast<int>(kSlowdown * timeout.count())) <= 0)
        return std::nullopt;
    char bytes[4096];
    const ssize_t got = ::recv(fd_, bytes, sizeof bytes, 0);
    if (got < 0) return std::nullopt;
    return std::string(bytes, static_cast<std::size_t>(got));
}

std::vector<std::string> NotifySocket::until(const std::string& start, milliseconds timeout) {
    std::vector<std::string> all;
    const auto deadline = steady_clock::now() + kSlowdown * timeout;
    while (all.empty() || !all.back().starts_with(start)) {
        A2H_CHECK(steady_clock::now() < deadline);
        if (auto message = next(milliseconds(100))) all.push_back(std::move(*message));
    }
    return all;
}

bool NotifySocket::falls_silent(const std::string& start, milliseconds quiet,
                                milliseconds timeout) {
    const auto deadline = steady_clock::now() + kSlowdown * timeout;
    auto silent_since = steady_clock::now();
    while (steady_clock::now() < deadline) {
        const auto message = next(milliseconds(20));
        if (message && message->starts_with(start)) silent_since = steady_clock::now();
        if (steady_clock::now() - silent_since >= kSlowdown * quiet) return true;
    }
    return false;
}

}  // namespace a2h::test
