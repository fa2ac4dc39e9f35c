#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace a2h::mqtt {

// Paho gives no access to its sockets and has no socket options. So the functions below change
// every TCP socket of this process whose peer has the broker's port, found in /proc/self/fd (60 us
// with 20 descriptors).

/// The port in `mqtt://host:port`; without one, 1883 for mqtt:// and 8883 for mqtts://; 0 if `uri`
/// is neither.
std::uint16_t broker_port(std::string_view uri);

/// Disables Nagle's algorithm. With it a request and its reply over loopback take 88 ms instead of
/// 0.1 ms, because each side's acknowledgement waits for the other's delayed ACK. Returns the
/// number of sockets found.
///
/// Thread:  any.
std::size_t set_no_delay(std::uint16_t port);

/// Shuts the sockets down in both directions, so that nothing more can be sent. Called from a
/// receive callback when a message could not be stored, this prevents Paho from sending the PUBACK.
/// Connections of other agents to the same broker are closed as well: they cannot be told apart,
/// use the same disk that failed, and only receive their last message again. Returns the number of
/// sockets found.
///
/// Thread:  any.
std::size_t shut_down_sockets(std::uint16_t port);

}  // namespace a2h::mqtt
