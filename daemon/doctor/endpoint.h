#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace a2h::doctor {

// Thread:  any.

/// The host and port of a URL.
struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
    bool is_encrypted = false;

    std::string text() const { return host + ":" + std::to_string(port); }
    /// True for names and addresses of this machine.
    bool is_loopback() const;
};
/// Accepts http, https, mqtt and mqtts with their usual ports; nullopt for anything else.
std::optional<Endpoint> endpoint_of(std::string_view url);

/// Resolves a host and returns the number of its addresses. May block as long as the system's
/// resolver does.
///
/// Errors:  NotFound if the name does not exist; Unavailable if no server answers.
Result<std::size_t> count_addresses(const std::string& host);

/// The certificate of a TLS server.
struct Certificate {
    bool is_trusted = false;
    std::string problem;  ///< why it is not valid; empty if it is
    UnixMs ends_ms = 0;   ///< earliest expiry in the chain, including the server's own certificate
};
/// Does a TLS handshake and disconnects. `ca_file` is trusted in addition to the system's
/// certificates. Blocks for about `patience` at most, after the name was resolved.
///
/// Errors:  Unavailable if no connection or handshake can be made; Timeout after `patience`.
Result<Certificate> read_certificate(const Endpoint& endpoint, const std::string& ca_file,
                                     std::chrono::milliseconds patience);

}  // namespace a2h::doctor
