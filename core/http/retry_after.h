#pragma once

#include <chrono>
#include <optional>

#include "core/base/clock.h"
#include "core/http/client.h"

namespace a2h::http {

/// How long the answer's `Retry-After` asks to wait: in seconds, or until a date. A date is
/// compared with the answer's own `Date`, because the two clocks may differ, or with `now_ms` if
/// there is none. nullopt if it is absent or cannot be understood. Never negative.
///
/// Thread:  any.
/// Source:  RFC 9110, 10.2.3.
std::optional<std::chrono::milliseconds> retry_after(const ClientResponse& response, UnixMs now_ms);

/// When the answer was made, by the server's clock, in whole seconds; nullopt if it does not say.
std::optional<UnixMs> date_of(const ClientResponse& response);

}  // namespace a2h::http
