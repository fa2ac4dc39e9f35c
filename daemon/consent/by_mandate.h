#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// Answers a stored, pending approval with the yes of `mandate_id`: records its use and everything
/// that a human's yes would write. The human is notified afterwards. Only for `open_approval` and
/// `open_by_mandate`, which have stored the question in the same transaction.
///
/// Errors:  those of the store.
/// Thread:  the store writer, inside its transaction.
Result<Approval> answer_by_mandate(store::Database& db, const Question& approval,
                                   std::string_view mandate_id, const Policy& policy,
                                   UnixMs now_ms);

/// Opens `approval` and answers it with the yes of `mandate_id`, without the checks of
/// `open_approval`. The caller has made its own in the same transaction: the mandate is in force
/// and has room for the amount, the peer's key has not changed, nothing newer and nothing else of
/// the peer is open, and the listing says what the owner has seen. way.cpp lists all of them.
/// nullopt, and nothing is stored, if a rule says who must agree.
///
/// Errors:  Conflict if such a rule names too few people; those of the store.
/// Thread:  as above.
Result<std::optional<Approval>> open_by_mandate(store::Database& db, const Question& approval,
                                                std::string_view mandate_id, const Policy& policy,
                                                UnixMs now_ms);

}  // namespace a2h::consent
