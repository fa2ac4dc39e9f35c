#pragma once

#include <cstdint>
#include <functional>

#include "market/api/metrics.h"
#include "market/api/rate_limiter.h"

namespace a2h::market {

/// What the health check and the metrics tell of the relay.
struct RelayState {
    bool connected = false;
    std::uint64_t announced = 0;
    std::uint64_t recorded = 0;
    std::uint64_t dropped = 0;
};

/// What the operator sees of the requests and how he limits them. Thread: any.
struct Watch {
    Metrics metrics;
    RateLimiter agents;     ///< signed requests, by agent
    RateLimiter addresses;  ///< public requests and refused signatures, by address
    bool behind_proxy = false;
    bool log_requests = false;
    std::function<RelayState()> relay_state{};  ///< empty: there is no relay
};

}  // namespace a2h::market
