#pragma once

#include <string>

#include "daemon/doctor/facts.h"
#include "daemon/health/listening.h"

namespace a2h::doctor {

/// The findings "round_trip" and "clock_broker" from a canary of `agent`.
Finding round_trip_finding(const Facts& facts, const std::string& agent,
                           const Result<health::Listening::RoundTrip>& trip);
Finding broker_clock_finding(const Facts& facts, const std::string& agent,
                             const Result<health::Listening::RoundTrip>& trip);

}  // namespace a2h::doctor
