#pragma once

#include <string>

#include "daemon/doctor/facts.h"
#include "daemon/health/listening.h"

namespace a2h::doctor {

// The findings of a canary. Pure.
//
// Thread:  any.

/// Returns the finding "round_trip" of a canary of `agent`: how long it took, or why it is missing.
Finding round_trip_finding(const Facts& facts, const std::string& agent,
                           const Result<health::Listening::RoundTrip>& trip);
/// Returns the finding "clock_broker" of the same canary: whether the machine's clock jumped
/// meanwhile.
Finding broker_clock_finding(const Facts& facts, const std::string& agent,
                             const Result<health::Listening::RoundTrip>& trip);

}  // namespace a2h::doctor
