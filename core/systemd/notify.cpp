#include "core/systemd/notify.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/base/log.h"
#include "core/systemd/environment.h"

namespace a2h::systemd {
namespace {

struct Address {
    sockaddr_un value{};
    socklen_t size = 0;
};

std::optional<Address> manager_address() {
    const std::string_view name = variable("NOTIFY_SOCKET");
    Address address;
    const bool is_name = name.size() > 1 && (name.front() == '/' || name.front() == '@');
    if (!is_name || name.size() >= sizeof address.value.sun_path) return std::nullopt;
    address.value.sun_family = AF_UNIX;
    std::memcpy(address.value.sun_path, name.data(), name.size());
    if (name.front() == '@') address.value.sun_path[0] = '\0';
    address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    return address;
}

void send_state(std::string_view assignments) {
    const auto manager = manager_address();
    if (!manager) return;
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        log::warning("sd_notify is not available", {{"error", std::strerror(errno)}});
        return;
    }
    const timeval wait_max{.tv_sec = 0,
                           .tv_usec = std::chrono::microseconds(kNotifyWaitMax).count()};
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait_max, sizeof wait_max);
    const ssize_t sent =
        ::sendto(fd, assignments.data(), assignments.size(), MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&manager->value), manager->size);
    if (sent < 0) {
        log::warning("sd_notify failed", {{"what", assignments.substr(0, assignments.find('\n'))},
                                          {"error", std::strerror(errno)}});
    }
    ::close(fd);
}

}  // namespace

void notify_ready() {
    send_state("READY=1");
}

void notify_reloading() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto microseconds =
        std::int64_t{now.tv_sec} * 1'000'000 + std::int64_t{now.tv_nsec} / 1'000;
    send_state("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void notify_stopping() {
    send_state("STOPPING=1");
}

void notify_status(std::string_view line) {
    std::string text = "STATUS=" + std::string(line);
    std::replace(text.begin(), text.end(), '\n', ' ');
    send_state(text);
}

void notify_watchdog() {
    send_state("WATCHDOG=1");
}

std::optional<std::chrono::microseconds> watchdog_period() {
    const auto period = number("WATCHDOG_USEC");
    if (!period || *period <= 0) return std::nullopt;
    const bool is_for_all = variable("WATCHDOG_PID").empty();
    if (!is_for_all && number("WATCHDOG_PID") != ::getpid()) return std::nullopt;
    return std::chrono::microseconds(*period);
}

}  // namespace a2h::systemd
