#include "core/domain/exchange.h"

#include <string>

#include "core/base/check.h"
#include "core/base/enum_names.h"

namespace a2h {
namespace {

/// `what` is "RFP" or "proposal". Only the first status can be changed, so a refused change means
/// that the end was reached.
template <typename Status>
Unexpected refused(std::string_view what, Status from, Status to) {
    return fail(ErrorCode::Conflict,
                "this " + std::string(what) + " is " + std::string(to_string(from)) +
                    ", which is final; it cannot become " + std::string(to_string(to)));
}

/// The role that may make this change; nullopt for `pending`, to which nobody can change.
std::optional<ProposalRole> mover(ProposalStatus to) {
    switch (to) {
        case ProposalStatus::Pending:
            return std::nullopt;
        case ProposalStatus::Accepted:
        case ProposalStatus::Rejected:
            return ProposalRole::Creator;
        case ProposalStatus::Withdrawn:
            return ProposalRole::Supplier;
    }
    A2H_CHECK(false);
}

}  // namespace

constexpr EnumName<RfpStatus> kRfpStatusNames[] = {
    {RfpStatus::Open, "open"},
    {RfpStatus::Closed, "closed"},
    {RfpStatus::Cancelled, "cancelled"},
};
A2H_ENUM_NAMES(RfpStatus, parse_rfp_status, kRfpStatusNames);

constexpr EnumName<ProposalStatus> kProposalStatusNames[] = {
    {ProposalStatus::Pending, "pending"},
    {ProposalStatus::Accepted, "accepted"},
    {ProposalStatus::Rejected, "rejected"},
    {ProposalStatus::Withdrawn, "withdrawn"},
};
A2H_ENUM_NAMES(ProposalStatus, parse_proposal_status, kProposalStatusNames);

Result<void> check_rfp_move(RfpStatus from, RfpStatus to) {
    if (from == to || from == RfpStatus::Open) return {};
    return refused("RFP", from, to);
}

Result<void> check_proposal_move(ProposalStatus from, ProposalStatus to, ProposalRole role) {
    const auto whose = mover(to);
    if (whose && *whose != role) {
        const std::string_view name =
            *whose == ProposalRole::Creator ? "creator of the RFP" : "supplier";
        return fail(
            ErrorCode::PermissionDenied,
            "only the " + std::string(name) + " may make a proposal " + std::string(to_string(to)));
    }
    if (from == to || from == ProposalStatus::Pending) return {};
    return refused("proposal", from, to);
}

}  // namespace a2h
