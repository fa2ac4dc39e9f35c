#include "daemon/consent/votes.h"

#include <algorithm>

#include "core/domain/audit.h"
#include "core/store/approval_store.h"
#include "core/store/vote_store.h"
#include "core/wire/canonical.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/proof.h"
#include "daemon/consent/recorded.h"
#include "daemon/decide/free_words.h"

namespace a2h::consent {
namespace {

/// Words without an amount may agree to one, unless the judge knows that they cannot.
bool may_name_an_amount(const Approval& approval) {
    return row_of(approval.action).sends_words && !approval.reply_text.empty() &&
           !decide::are_free_words(approval.reply_text);
}

bool applies(const ApprovalRule& rule, const Approval& approval) {
    const bool named = rule.action == approval.action ||
                       (!rule.action.empty() && rule.action == mandates::action_of(approval));
    if (!rule.action.empty() && !named) return false;
    if (rule.amount_from_minor == 0) return true;
    // Without an amount, the approval is above the rule's limit only if the rule names the action,
    // or if its words may name one.
    if (!approval.amount_minor) return named || may_name_an_amount(approval);
    return approval.currency != rule.currency || *approval.amount_minor >= rule.amount_from_minor;
}

bool is_one_of(std::string_view name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Result<void> set_voters(Approval& approval, const std::vector<ApprovalRule>& rules) {
    const ApprovalRule* strictest = nullptr;
    for (const ApprovalRule& rule : rules) {
        if (!applies(rule, approval)) continue;
        if (strictest == nullptr || rule.votes > strictest->votes) strictest = &rule;
    }
    if (strictest == nullptr) return {};
    if (static_cast<int>(strictest->people.size()) < strictest->votes) {
        return fail(ErrorCode::Conflict, "a rule of this home requires the yes of " +
                                             std::to_string(strictest->votes) +
                                             " people, and names fewer");
    }
    approval.votes_needed = strictest->votes;
    approval.voters = strictest->people;
    approval.voters = people_who_count(approval);
    return {};
}

Result<void> check_voter(const Approval& approval, std::string_view person) {
    const std::vector<std::string> people = people_who_count(approval);
    if (people.empty() || is_one_of(person, people)) return {};
    if (person == approval.asked_by) {
        return fail(ErrorCode::PermissionDenied,
                    std::string(person) + " asked for this or chose its words, so others decide");
    }
    return fail(ErrorCode::PermissionDenied,
                "the yes of " + std::string(person) + " does not count for this; others decide");
}

void count_own_words(Approval& approval, std::string_view person) {
    if (agrees_by_own_words(approval)) count_no_words(approval);
    approval.asked_by = person;
    const auto others = static_cast<int>(approval.voters.size()) - 1;
    const bool is_needed = others < approval.votes_needed;
    if (is_needed && others > 0) std::erase(approval.voters, approval.asked_by);
}

void count_no_words(Approval& approval) {
    if (agrees_by_own_words(approval)) approval.voters.push_back(approval.asked_by);
}

Result<std::vector<std::string>> cast_vote(store::Database& db, const Approval& approval,
                                           const Answer& answer, UnixMs now_ms) {
    A2H_TRY(store::insert_vote(
        db, {approval.id, answer.person, approval.digest, answer.surface, now_ms}));
    A2H_TRY(store::append_audit(db, approval.id, audit::kVoted,
                                wire::text_object({{"by", answer.person},
                                                   {"proof", proof_of(answer)},
                                                   {"digest", approval.digest},
                                                   {"surface", to_string(answer.surface)}}),
                                now_ms));
    A2H_ASSIGN_OR_RETURN(auto people, recorded_votes(db, approval));
    std::erase_if(people,
                  [&](const std::string& person) { return !check_voter(approval, person); });
    return people;
}

}  // namespace a2h::consent
