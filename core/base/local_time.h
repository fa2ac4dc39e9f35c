#pragma once

#include "core/base/clock.h"

namespace a2h {

/// The start of the day, or of the week (from Monday), of `time_ms` in the machine's time zone. A
/// day has 23 or 25 hours when clocks are changed.
///
/// Thread:  any.
UnixMs start_of_local_day(UnixMs time_ms);
UnixMs start_of_local_week(UnixMs time_ms);

}  // namespace a2h
