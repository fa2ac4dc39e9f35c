#include "core/domain/approval.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<ApprovalStatus> kApprovalStatusNames[] = {
    {ApprovalStatus::Pending, "pending"},   {ApprovalStatus::Approved, "approved"},
    {ApprovalStatus::Rejected, "rejected"}, {ApprovalStatus::Instructed, "instructed"},
    {ApprovalStatus::Expired, "expired"},   {ApprovalStatus::Cancelled, "cancelled"},
};
A2H_ENUM_NAMES(ApprovalStatus, parse_approval_status, kApprovalStatusNames);

constexpr EnumName<ApprovalOutcome> kApprovalOutcomeNames[] = {
    {ApprovalOutcome::None, "none"},         {ApprovalOutcome::Executing, "executing"},
    {ApprovalOutcome::Executed, "executed"}, {ApprovalOutcome::Failed, "failed"},
    {ApprovalOutcome::Unknown, "unknown"},   {ApprovalOutcome::Expired, "expired"},
};
A2H_ENUM_NAMES(ApprovalOutcome, parse_approval_outcome, kApprovalOutcomeNames);

constexpr EnumName<About> kAboutNames[] = {
    {About::Other, "other"},
    {About::Terms, "terms"},
    {About::Facts, "facts"},
};
A2H_ENUM_NAMES(About, parse_about, kAboutNames);

constexpr EnumName<AnswerSurface> kAnswerSurfaceNames[] = {
    {AnswerSurface::Page, "page"},       {AnswerSurface::Terminal, "terminal"},
    {AnswerSurface::Code, "code"},       {AnswerSurface::Button, "button"},
    {AnswerSurface::Mandate, "mandate"}, {AnswerSurface::Relayed, "relayed"},
    {AnswerSurface::Clock, "clock"},     {AnswerSurface::System, "system"},
};
A2H_ENUM_NAMES(AnswerSurface, parse_answer_surface, kAnswerSurfaceNames);

constexpr EnumName<ClosedBy> kClosedByNames[] = {
    {ClosedBy::NewerMessage, "newer_message"},
    {ClosedBy::Renewed, "renewed"},
    {ClosedBy::Withdrawal, "withdrawal"},
    {ClosedBy::UnreadMessage, "unread_message"},
    {ClosedBy::Agreement, "agreement"},
    {ClosedBy::OwnAnswer, "own_answer"},
    {ClosedBy::Order, "order"},
    {ClosedBy::Market, "market"},
};
A2H_ENUM_NAMES(ClosedBy, parse_closed_by, kClosedByNames);

constexpr EnumName<OptionKind> kOptionKindNames[] = {
    {OptionKind::Other, "other"}, {OptionKind::Yes, "yes"},         {OptionKind::No, "no"},
    {OptionKind::Close, "close"}, {OptionKind::Counter, "counter"}, {OptionKind::Answer, "answer"},
};
A2H_ENUM_NAMES(OptionKind, parse_option_kind, kOptionKindNames);

constexpr EnumName<AnswerKind> kAnswerKindNames[] = {
    {AnswerKind::Approve, "approve"},   {AnswerKind::Reject, "reject"},
    {AnswerKind::Option, "option"},     {AnswerKind::Instruct, "instruct"},
    {AnswerKind::Withdraw, "withdraw"},
};
static_assert(names_all(kAnswerKindNames));

std::string_view to_string(AnswerKind value) {
    return name_of(kAnswerKindNames, value);
}

bool waits_to_be_sent(const Approval& approval) {
    return approval.outcome == ApprovalOutcome::Executed && approval.unsent > 0;
}

std::vector<std::string> peers_of(const Approval& approval) {
    if (approval.peer_id.empty()) return approval.peer_ids;
    return {approval.peer_id};
}

bool agrees_by_own_words(const Approval& approval) {
    return !approval.voters.empty() &&
           static_cast<int>(approval.voters.size()) < approval.votes_needed;
}

std::vector<std::string> people_who_count(const Approval& approval) {
    std::vector<std::string> people = approval.voters;
    if (agrees_by_own_words(approval)) {
        people.push_back(approval.asked_by);
        return people;
    }
    std::erase(people, approval.asked_by);
    return static_cast<int>(people.size()) < approval.votes_needed ? approval.voters : people;
}

std::string linked_text(const AuditRow& row) {
    return row.previous_hash + "\n" + row.approval_id + "\n" + row.what + "\n" + row.detail_json +
           "\n" + std::to_string(row.created_at_ms) + "\n";
}

}  // namespace a2h
