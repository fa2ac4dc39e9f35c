#pragma once

#include "core/base/clock.h"

namespace a2h {

/// When the day, or the week (Monday first), of `time_ms` began in the machine's time zone. On the
/// days when clocks are changed a day has 23 or 25 hours. Thread: any.
UnixMs start_of_local_day(UnixMs time_ms);
UnixMs start_of_local_week(UnixMs time_ms);

}  // namespace a2h
