#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::http {

/// A listening TCP socket. The caller must close `descriptor`.
struct Listener {
    int descriptor = -1;
    bool is_ipv6 = false;
    std::uint16_t port = 0;
};

/// Listens on `address`, an IP address, and `port`; 0 means any free port.
///
/// Errors:  InvalidArgument for a bad address, Conflict if the port is in use.
/// Thread:  any.
Result<Listener> listen_on(const std::string& address, std::uint16_t port);

/// Whether `address` is an IP address of this machine only.
///
/// Thread:  any.
bool is_loopback(const std::string& address);
/// `address:port`, as in a URL and a Host header.
///
/// Thread:  any.
std::string host_and_port(std::string_view address, std::uint16_t port);

}  // namespace a2h::http
