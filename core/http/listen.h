#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::http {

/// A TCP socket that listens; whoever takes `descriptor` closes it.
struct Listener {
    int descriptor = -1;
    bool is_ipv6 = false;
    std::uint16_t port = 0;
};

/// Listens on `address`, an IP address, and `port`, or on any free port for 0.
/// Errors: InvalidArgument for a bad address, Conflict when the port is taken. Thread: any.
Result<Listener> listen_on(const std::string& address, std::uint16_t port);

/// Whether `address` is an IP address that leads to this machine alone. Thread: any.
bool is_loopback(const std::string& address);
/// `address:port`, as a URL and a Host header have it. Thread: any.
std::string host_and_port(std::string_view address, std::uint16_t port);

}  // namespace a2h::http
