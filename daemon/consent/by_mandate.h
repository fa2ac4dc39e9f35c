#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// Gives a stored, pending approval the yes of `mandate_id`: its use, and everything that a human's
/// yes would write. The human is told afterwards. Only for `open_approval`. Thread: the store
/// writer, inside its transaction.
Result<Approval> answer_by_mandate(store::Database& db, const Approval& approval,
                                   std::string_view mandate_id, const Policy& policy,
                                   UnixMs now_ms);

/// Opens `approval` and gives it the yes of `mandate_id`, which whoever calls has found to cover
/// it. nullopt, and nothing stored, when a rule wants several people. Thread: as above.
Result<std::optional<Approval>> open_by_mandate(store::Database& db, const Approval& approval,
                                                std::string_view mandate_id, const Policy& policy,
                                                UnixMs now_ms);

}  // namespace a2h::consent
