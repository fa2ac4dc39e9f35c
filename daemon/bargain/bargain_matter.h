#pragma once

#include "daemon/consent/matters.h"

namespace a2h::bargain {

/// The bargain of which `message` is an offer, an acceptance or the end, if a mandate has written
/// or released it (`consent::FindMatter`).
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<consent::MatterPtr> find_matter(store::Database& db, const OutboxMessage& message,
                                       const Approval* yes);

}  // namespace a2h::bargain
