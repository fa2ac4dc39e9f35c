#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// Answers a stored, pending approval with the yes of `mandate_id`: records its use and everything
/// that a human's yes would write. The human is notified afterwards. Only for `open_approval`.
///
/// Errors:  those of the store.
/// Thread:  the store writer, inside its transaction.
Result<Approval> answer_by_mandate(store::Database& db, const Question& approval,
                                   std::string_view mandate_id, const Policy& policy,
                                   UnixMs now_ms);

/// Opens `approval` and answers it with the yes of `mandate_id`, which the caller has found to
/// cover it. nullopt, and nothing is stored, if a rule requires several people.
///
/// Errors:  those of the store.
/// Thread:  as above.
Result<std::optional<Approval>> open_by_mandate(store::Database& db, const Question& approval,
                                                std::string_view mandate_id, const Policy& policy,
                                                UnixMs now_ms);

}  // namespace a2h::consent
