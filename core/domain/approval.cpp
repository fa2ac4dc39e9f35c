#include "core/domain/approval.h"

#include "core/base/check.h"

namespace a2h {

std::string_view to_string(ApprovalStatus value) {
    switch (value) {
        case ApprovalStatus::Pending:
            return "pending";
        case ApprovalStatus::Approved:
            return "approved";
        case ApprovalStatus::Rejected:
            return "rejected";
        case ApprovalStatus::Instructed:
            return "instructed";
        case ApprovalStatus::Expired:
            return "expired";
        case ApprovalStatus::Cancelled:
            return "cancelled";
    }
    A2H_CHECK(false);
}

std::optional<ApprovalStatus> parse_approval_status(std::string_view text) {
    if (text == "pending") return ApprovalStatus::Pending;
    if (text == "approved") return ApprovalStatus::Approved;
    if (text == "rejected") return ApprovalStatus::Rejected;
    if (text == "instructed") return ApprovalStatus::Instructed;
    if (text == "expired") return ApprovalStatus::Expired;
    if (text == "cancelled") return ApprovalStatus::Cancelled;
    return std::nullopt;
}

std::string_view to_string(ApprovalOutcome value) {
    switch (value) {
        case ApprovalOutcome::None:
            return "none";
        case ApprovalOutcome::Executing:
            return "executing";
        case ApprovalOutcome::Executed:
            return "executed";
        case ApprovalOutcome::Failed:
            return "failed";
        case ApprovalOutcome::Unknown:
            return "unknown";
        case ApprovalOutcome::Expired:
            return "expired";
    }
    A2H_CHECK(false);
}

std::optional<ApprovalOutcome> parse_approval_outcome(std::string_view text) {
    if (text == "none") return ApprovalOutcome::None;
    if (text == "executing") return ApprovalOutcome::Executing;
    if (text == "executed") return ApprovalOutcome::Executed;
    if (text == "failed") return ApprovalOutcome::Failed;
    if (text == "unknown") return ApprovalOutcome::Unknown;
    if (text == "expired") return ApprovalOutcome::Expired;
    return std::nullopt;
}

std::string_view to_string(AnswerSurface value) {
    switch (value) {
        case AnswerSurface::Page:
            return "page";
        case AnswerSurface::Terminal:
            return "terminal";
        case AnswerSurface::Code:
            return "code";
        case AnswerSurface::Button:
            return "button";
        case AnswerSurface::Mandate:
            return "mandate";
        case AnswerSurface::Relayed:
            return "relayed";
        case AnswerSurface::Clock:
            return "clock";
        case AnswerSurface::System:
            return "system";
    }
    A2H_CHECK(false);
}

std::optional<AnswerSurface> parse_answer_surface(std::string_view text) {
    if (text == "page") return AnswerSurface::Page;
    if (text == "terminal") return AnswerSurface::Terminal;
    if (text == "code") return AnswerSurface::Code;
    if (text == "button") return AnswerSurface::Button;
    if (text == "mandate") return AnswerSurface::Mandate;
    if (text == "relayed") return AnswerSurface::Relayed;
    if (text == "clock") return AnswerSurface::Clock;
    if (text == "system") return AnswerSurface::System;
    return std::nullopt;
}

std::string_view to_string(ClosedBy value) {
    switch (value) {
        case ClosedBy::NewerMessage:
            return "newer_message";
        case ClosedBy::Renewed:
            return "renewed";
        case ClosedBy::Withdrawal:
            return "withdrawal";
        case ClosedBy::UnreadMessage:
            return "unread_message";
        case ClosedBy::Agreement:
            return "agreement";
        case ClosedBy::OwnAnswer:
            return "own_answer";
        case ClosedBy::Order:
            return "order";
    }
    A2H_CHECK(false);
}

std::optional<ClosedBy> parse_closed_by(std::string_view text) {
    constexpr ClosedBy kAll[] = {ClosedBy::NewerMessage,  ClosedBy::Renewed,   ClosedBy::Withdrawal,
                                 ClosedBy::UnreadMessage, ClosedBy::Agreement, ClosedBy::OwnAnswer,
                                 ClosedBy::Order};
    for (const ClosedBy value : kAll)
        if (text == to_string(value)) return value;
    return std::nullopt;
}

std::string_view to_string(AnswerKind value) {
    switch (value) {
        case AnswerKind::Approve:
            return "approve";
        case AnswerKind::Reject:
            return "reject";
        case AnswerKind::Option:
            return "option";
        case AnswerKind::Instruct:
            return "instruct";
        case AnswerKind::Withdraw:
            return "withdraw";
    }
    A2H_CHECK(false);
}

std::optional<AnswerKind> parse_answer_kind(std::string_view text) {
    if (text == "approve") return AnswerKind::Approve;
    if (text == "reject") return AnswerKind::Reject;
    if (text == "option") return AnswerKind::Option;
    if (text == "instruct") return AnswerKind::Instruct;
    if (text == "withdraw") return AnswerKind::Withdraw;
    return std::nullopt;
}

std::string linked_text(const AuditRow& row) {
    return row.previous_hash + "\n" + row.approval_id + "\n" + row.what + "\n" + row.detail_json +
           "\n" + std::to_string(row.created_at_ms) + "\n";
}

}  // namespace a2h
