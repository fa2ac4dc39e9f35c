#include "core/domain/assignment.h"

#include "core/base/enum_names.h"

namespace a2h {
namespace {

using enum AssignmentState;

constexpr EnumName<AssignmentState> kAssignmentStateNames[] = {
    {Offered, "offered"}, {Open, "open"},           {Completed, "completed"},
    {Failed, "failed"},   {Cancelled, "cancelled"}, {Declined, "declined"},
};

}  // namespace

A2H_ENUM_NAMES(AssignmentState, parse_assignment_state, kAssignmentStateNames);

bool is_final(AssignmentState value) {
    return value != Offered && value != Open;
}

constexpr EnumName<AssignmentSide> kAssignmentSideNames[] = {
    {AssignmentSide::Given, "given"},
    {AssignmentSide::Taken, "taken"},
};
A2H_ENUM_NAMES(AssignmentSide, parse_assignment_side, kAssignmentSideNames);

}  // namespace a2h
