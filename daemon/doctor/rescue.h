#pragma once

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/control/home.h"
#include "daemon/doctor/doctor.h"

namespace a2h::doctor {

/// The doctor for a home that a2hd refuses to serve. It examines only the home (`home_checks`).
/// With `fix` it removes permissions of other users and stale files, and checks again. If there is
/// a database, a verified backup is written first; if that fails, nothing is changed and `fixed`
/// says why.
///
/// The caller holds the home's lock. Blocks.
///
/// Thread:  any.
Report check_home_alone(const control::Home& home, i18n::Language language, bool fix,
                        const Clock& clock, Progress& progress);

/// The line of the check `daemon` if no a2hd serves the home but one could: with `database`, or
/// before the first start.
Line not_running(i18n::Language language, bool has_database);

/// The line of the check `daemon` that says why a2hd does not start. For damaged files it names the
/// newest backup of the home.
Line cannot_start(const control::Home& home, i18n::Language language, const Error& why);

}  // namespace a2h::doctor
