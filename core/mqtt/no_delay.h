#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace a2h::mqtt {

// Paho keeps its sockets to itself: it offers neither the descriptor nor a socket option. What must
// be done to the socket is therefore done to every TCP socket of this process whose peer has the
// broker's port, found in /proc/self/fd (60 us with 20 descriptors).

/// The port in `mqtt://host:port`; 1883 for mqtt:// and 8883 for mqtts:// when none is written; 0
/// when `uri` is neither.
std::uint16_t broker_port(std::string_view uri);

/// Switches Nagle's algorithm off: with it a request and its reply over loopback take 88 ms instead
/// of 0.1 ms, because each side's acknowledgement waits for the other's delayed ACK.
/// Returns how many sockets were found. Thread: any.
std::size_t set_no_delay(std::uint16_t port);

/// Shuts the sockets down in both directions, so that nothing can be sent any more. Called from a
/// receive callback when a message could not be stored, this is what keeps Paho's PUBACK from
/// leaving. Other agents' connections to the same broker are cut too: they cannot be told apart,
/// share the disk that failed, and only have their last message delivered again.
/// Returns how many sockets were found. Thread: any.
std::size_t shut_down_sockets(std::uint16_t port);

}  // namespace a2h::mqtt
