#pragma once

#include <cstdint>
#include <functional>

#include "market/api/metrics.h"
#include "market/api/rate_limiter.h"

namespace a2h::market {

/// The state of the relay for the health check and the metrics.
struct RelayState {
    bool connected = false;
    std::uint64_t announced = 0;
    std::uint64_t recorded = 0;
    std::uint64_t dropped = 0;
};

/// Counters and limits of requests for the operator.
///
/// Thread:  any.
struct Watch {
    Metrics metrics;
    RateLimiter agents;     ///< signed requests, keyed by agent
    RateLimiter addresses;  ///< public requests and refused signatures, keyed by address
    bool behind_proxy = false;
    bool log_requests = false;
    std::function<RelayState()> relay_state{};  ///< empty: there is no relay
};

}  // namespace a2h::market
