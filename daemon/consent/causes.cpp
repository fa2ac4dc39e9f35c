#include "daemon/consent/causes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/store/approval_store.h"
#include "core/wire/permit_digest.h"
#include "daemon/consent/recorded.h"

namespace a2h::consent {
namespace {

/// A no and the choice of an option can send words as well.
bool was_answered(const Approval& approval) {
    return approval.status == ApprovalStatus::Approved ||
           approval.status == ApprovalStatus::Rejected ||
           approval.status == ApprovalStatus::Instructed;
}

Result<bool> is_answered_approval(store::Database& db, std::string_view id,
                                  const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto approval, store::get_approval(db, std::string(id)));
    if (!approval || approval->agent_id != message.agent_id || !was_answered(*approval))
        return false;
    return was_answered_so(db, *approval);
}

Result<bool> is_mandate_of_sender(store::Database& db, std::string_view id,
                                  const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto mandate, mandates::find_in_force(db, id));
    return mandate && mandate->agent_id == message.agent_id;
}

/// Whether the judge of words has let exactly this message leave, by the right of its cause.
Result<bool> was_judged(store::Database&, std::string_view, const OutboxMessage& message) {
    if (!message.judged || message.judged->right() != claim_of(message.cause).right) return false;
    const std::string& digest = message.judged->digest();
    return digest.empty() || digest == wire::permit_digest(message);
}

constexpr CauseRow kOwnCauses[] = {
    {"approval:", Right::Yes, false, is_answered_approval},
    {"mandate:", Right::Mandate, true, is_mandate_of_sender},
    {"rule:", Right::Answer, false},               // a reply to one message, judged by its job
    {"case:", Right::Answer, false},               // the same, while the reply is evaluated
    {"tool:", Right::Harmless, true, was_judged},  // an assistant's words
    {"unreviewed:", Right::Unreviewed, false, was_judged},  // the same, by `[send] assistant`
    {"hand:", Right::OwnHand, true, was_judged},            // words of a proved person
};

std::vector<const CauseRow*>& cause_rows() {
    static std::vector<const CauseRow*> rows = [] {
        std::vector<const CauseRow*> own;
        for (const CauseRow& row : kOwnCauses)
            own.push_back(&row);
        return own;
    }();
    return rows;
}

}  // namespace

void register_causes(std::span<const CauseRow> rows) {
    for (const CauseRow& row : rows) {
        if (claim_of(row.name).row == nullptr) cause_rows().push_back(&row);
    }
}

Claim claim_of(std::string_view cause) {
    for (const CauseRow* row : cause_rows()) {
        if (cause.starts_with(row->name)) return {row->right, cause.substr(row->name.size()), row};
    }
    return {};
}

bool is_judged_late(std::string_view cause) {
    const Claim claim = claim_of(cause);
    return claim.row == nullptr || claim.row->is_judged_late;
}

}  // namespace a2h::consent
