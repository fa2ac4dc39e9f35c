#include "core/domain/assignment.h"

#include <array>
#include <utility>

namespace a2h {
namespace {

using enum AssignmentState;

constexpr std::array kAssignmentStates{
    std::pair{Offered, "offered"},     std::pair{Open, "open"},
    std::pair{Completed, "completed"}, std::pair{Failed, "failed"},
    std::pair{Cancelled, "cancelled"}, std::pair{Declined, "declined"},
};

}  // namespace

std::string_view to_string(AssignmentState value) {
    return kAssignmentStates[static_cast<std::size_t>(value)].second;
}

std::optional<AssignmentState> parse_assignment_state(std::string_view text) {
    for (const auto& [state, name] : kAssignmentStates) {
        if (text == name) return state;
    }
    return std::nullopt;
}

bool is_final(AssignmentState value) {
    return value != Offered && value != Open;
}

std::string_view to_string(AssignmentSide value) {
    return value == AssignmentSide::Given ? "given" : "taken";
}

std::optional<AssignmentSide> parse_assignment_side(std::string_view text) {
    if (text == "given") return AssignmentSide::Given;
    if (text == "taken") return AssignmentSide::Taken;
    return std::nullopt;
}

}  // namespace a2h
