#pragma once

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/control/home.h"
#include "daemon/doctor/doctor.h"

namespace a2h::doctor {

/// The doctor of a home that a2hd refuses to serve: looks at the home alone (`home_checks`). With
/// `fix` it closes to others what is open to them and removes what is stale, then looks again.
/// Before that a verified backup is written wherever there is a database; when that cannot be done
/// nothing is touched, and `fixed` says why.
///
/// The caller holds the home's lock. Thread: any; blocks.
Report look_at_home_alone(const control::Home& home, i18n::Language language, bool fix,
                          const Clock& clock, Progress& progress);

/// The line of the check `daemon` where no a2hd serves the home, but one could: with `database`, or
/// before the first start.
Line not_running(i18n::Language language, bool has_database);

/// The line of the check `daemon`: why a2hd does not start. What is damaged comes back from a
/// backup, so the newest one of the home is named.
Line cannot_start(const control::Home& home, i18n::Language language, const Error& why);

}  // namespace a2h::doctor
