#pragma once

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::consent {

/// Writes the typed offers, acceptances and rejections that an older version has exchanged into the
/// deals, once for each database. Words before that are not read again.
///
/// Errors:  those of the database.
/// Thread:  the one that opens the database, before others use it.
Result<void> take_over_old_deals(store::Database& db);

}  // namespace a2h::consent
