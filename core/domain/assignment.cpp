#include "core/domain/assignment.h"

#include "core/base/enum_names.h"

namespace a2h {
namespace {

using enum AssignmentState;

constexpr EnumName<AssignmentState> kAssignmentStateNames[] = {
    {Offered, "offered"}, {Open, "open"},           {Completed, "completed"},
    {Failed, "failed"},   {Cancelled, "cancelled"}, {Declined, "declined"},
};
static_assert(names_all(kAssignmentStateNames));

}  // namespace

std::string_view to_string(AssignmentState value) {
    return name_of(kAssignmentStateNames, value);
}

std::optional<AssignmentState> parse_assignment_state(std::string_view text) {
    return value_of(kAssignmentStateNames, text);
}

bool is_final(AssignmentState value) {
    return value != Offered && value != Open;
}

constexpr EnumName<AssignmentSide> kAssignmentSideNames[] = {
    {AssignmentSide::Given, "given"},
    {AssignmentSide::Taken, "taken"},
};
static_assert(names_all(kAssignmentSideNames));

std::string_view to_string(AssignmentSide value) {
    return name_of(kAssignmentSideNames, value);
}

std::optional<AssignmentSide> parse_assignment_side(std::string_view text) {
    return value_of(kAssignmentSideNames, text);
}

}  // namespace a2h
