#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::consent {

/// Fixes who must agree to `approval`, which is about to be asked: the rule that applies and needs
/// the most votes, without the person who asks. An amount that the rule's currency cannot be
/// compared with counts as above its limit.
/// Errors: Conflict when too few people are left.
Result<void> set_voters(Approval& approval, const std::vector<ApprovalRule>& rules);

/// Whether `person` may say yes to it: nobody does to what they asked for or worded themselves
/// where a rule says who must agree.
/// Errors: PermissionDenied.
Result<void> check_voter(const Approval& approval, std::string_view person);
/// The same for putting other words in its place, after which that person does not count.
/// Errors: PermissionDenied; Conflict when too few people would be left.
Result<void> check_editor(const Approval& approval, std::string_view person);

/// True where one yes decides nothing.
inline bool needs_votes(const Approval& approval) {
    return approval.votes_needed > 1;
}

struct Answer;
/// Stores the yes of the proved person of `answer` to the approval in its present form and returns
/// who has said yes by now, each once. Errors: Conflict when they had. Thread: the store writer.
Result<std::vector<std::string>> cast_vote(store::Database& db, const Approval& approval,
                                           const Answer& answer, UnixMs now_ms);

}  // namespace a2h::consent
