#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace a2h::doctor {

/// Where a URL leads.
struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
    bool is_encrypted = false;

    std::string text() const { return host + ":" + std::to_string(port); }
    /// Names or addresses of this machine only.
    bool is_loopback() const;
};
/// http, https, mqtt, mqtts, with their usual ports; nullopt for anything else.
std::optional<Endpoint> endpoint_of(std::string_view url);

/// Looks a host up. Errors: NotFound when there is no such name; Unavailable when nobody answers.
/// May take as long as the system's resolver is patient.
Result<std::size_t> count_addresses(const std::string& host);

/// What a TLS server has shown.
struct Certificate {
    bool is_trusted = false;
    std::string problem;  ///< why not
    UnixMs ends_ms = 0;   ///< the earliest end of what it sent, its own included
};
/// Shakes hands and hangs up. `ca_file` is trusted beside the system's.
/// Errors: Unavailable, Timeout.
Result<Certificate> look_at_certificate(const Endpoint& endpoint, const std::string& ca_file,
                                        std::chrono::milliseconds patience);

}  // namespace a2h::doctor
