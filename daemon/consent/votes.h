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

/// Determines who must agree to `approval`, which is about to be asked: the matching rule that
/// needs the most votes, without the person who asks, if there are enough others. An amount in
/// another currency than the rule's counts as above its limit, and so do words to be sent that name
/// no amount, unless the judge of free words allows them.
///
/// Errors:  Conflict if the rule names too few people.
Result<void> set_voters(Approval& approval, const std::vector<ApprovalRule>& rules);

/// Checks that `person` may say yes. If a rule says who must agree, nobody may say yes to what they
/// requested or worded themselves, unless too few others are left.
///
/// Errors:  PermissionDenied.
Result<void> check_voter(const Approval& approval, std::string_view person);

/// Makes `person`, who may say yes, the one who chose the words. If too few others are left, these
/// words are their yes (`agrees_by_own_words`).
void count_own_words(Approval& approval, std::string_view person);
/// Undoes `count_own_words`: the person who chose the words has to say yes like the others.
void count_no_words(Approval& approval);

/// True if one yes is not enough.
inline bool needs_votes(const Approval& approval) {
    return approval.votes_needed > 1;
}

struct Answer;
/// Stores the yes of the proved person of `answer` to the present form of the approval, and returns
/// all who have said yes, each once.
///
/// Errors:  Conflict if this person has voted already.
/// Thread:  the store writer.
Result<std::vector<std::string>> cast_vote(store::Database& db, const Approval& approval,
                                           const Answer& answer, UnixMs now_ms);

}  // namespace a2h::consent
