#pragma once

#include <cstdint>

#include "core/base/result.h"

namespace a2h {

// For starting programs on 127.0.0.1 that cannot choose a port themselves.
//
// Thread:  any.

/// A port that was free a moment ago.
///
/// Errors:  Unavailable.
Result<std::uint16_t> free_loopback_port();

/// Whether a program listens on the port.
bool accepts_connections(std::uint16_t port);

}  // namespace a2h
