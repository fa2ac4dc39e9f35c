#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace a2h {

/// `2025-10-09T16:53:20.000+08:00`: the form in envelopes, always Beijing time with milliseconds.
///
/// Source:  docs/protocol.md, "Envelope".
std::string to_envelope_time(UnixMs time_ms);

/// `2025-10-09T08:53:20Z`, for people and our own JSON. Years outside 0 to 9999 are shown as the
/// nearest year inside.
std::string to_utc_time(UnixMs time_ms);

/// `2025-10-09 16:53 +08:00` in the machine's time zone, for its user.
std::string to_local_time(UnixMs time_ms);

/// `2025-10-09 16:53:20`: the same with seconds and without the zone, for a log on a screen.
std::string to_local_second(UnixMs time_ms);

/// Reads ISO 8601 with `Z` or a numeric offset, with or without a fraction.
/// Errors: InvalidArgument.
Result<UnixMs> parse_time(std::string_view text);

/// The same, or a day, `2025-10-09`, which means its beginning in UTC. At most 40 bytes.
///
/// Errors:  InvalidArgument.
Result<UnixMs> parse_day_or_time(std::string_view text);

}  // namespace a2h
