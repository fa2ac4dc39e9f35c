#pragma once

#include "core/base/result.h"
#include "core/store/database.h"
#include "daemon/consent/continuing.h"

namespace a2h::consent {

/// Whether an agreement with the peer about the listing stands: a person or a mandate has agreed,
/// also step by step under a continuing mandate, and no order between both was created afterwards.
/// Agreements without a listing and an empty `works_id` count for any.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
/// Source:  docs/rulings.md, R52.
Result<bool> has_standing_agreement(store::Database& db, const Subject& subject);

}  // namespace a2h::consent
