#include "core/domain/order.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/enum_names.h"

namespace a2h {
namespace {

struct Row {
    OrderAction action;
    OrderRole role;
    OrderState from;
    OrderState to;
};

/// Each action belongs to one role and leads to one state (R13), so the present state shows whether
/// an action was the last one.
constexpr std::array kRows{
    Row{OrderAction::Confirm, OrderRole::Customer, OrderState::PendingConfirm,
        OrderState::Confirmed},
    Row{OrderAction::Reject, OrderRole::Customer, OrderState::PendingConfirm, OrderState::Rejected},
    Row{OrderAction::Cancel, OrderRole::Provider, OrderState::PendingConfirm,
        OrderState::Cancelled},
    Row{OrderAction::ConfirmReceived, OrderRole::Provider, OrderState::Confirmed, OrderState::Paid},
    Row{OrderAction::ConfirmServiceCompleted, OrderRole::Customer, OrderState::Paid,
        OrderState::Completed},
};

const Row& row_of(OrderAction action) {
    const auto row = std::find_if(kRows.begin(), kRows.end(),
                                  [action](const Row& r) { return r.action == action; });
    A2H_CHECK(row != kRows.end());
    return *row;
}

std::string_view name_of(OrderRole role) {
    return role == OrderRole::Customer ? "customer" : "provider";
}

/// "an order in state PAID allows: confirm-service-completed by the customer"
std::string allowed_in(OrderState state) {
    std::string moves;
    for (const Row& row : kRows) {
        if (row.from != state) continue;
        if (!moves.empty()) moves += ", ";
        moves += std::string(to_string(row.action)) + " by the " + std::string(name_of(row.role));
    }
    return "an order in state " + std::string(to_string(state)) + " allows " +
           (moves.empty() ? "no further action" : moves);
}

}  // namespace

constexpr EnumName<OrderState> kOrderStateNames[] = {
    {OrderState::PendingConfirm, "PENDING_CONFIRM"},
    {OrderState::Confirmed, "CONFIRMED"},
    {OrderState::Paid, "PAID"},
    {OrderState::Completed, "COMPLETED"},
    {OrderState::Rejected, "REJECTED"},
    {OrderState::Cancelled, "CANCELLED"},
};
A2H_ENUM_NAMES(OrderState, parse_order_state, kOrderStateNames);

constexpr EnumName<OrderAction> kOrderActionNames[] = {
    {OrderAction::Confirm, "confirm"},
    {OrderAction::Reject, "reject"},
    {OrderAction::Cancel, "cancel"},
    {OrderAction::ConfirmReceived, "confirm-received"},
    {OrderAction::ConfirmServiceCompleted, "confirm-service-completed"},
};
A2H_ENUM_NAMES(OrderAction, parse_order_action, kOrderActionNames);

Result<OrderMove> move_order(OrderState from, OrderAction action, OrderRole role) {
    const Row& row = row_of(action);
    if (row.role != role) {
        return fail(ErrorCode::PermissionDenied,
                    "only the " + std::string(name_of(row.role)) + " of an order may send " +
                        std::string(to_string(action)) + "; " + allowed_in(from));
    }
    if (from == row.to) return OrderMove{from, true};
    if (from != row.from) {
        return fail(ErrorCode::Conflict, "it is too late or too early for " +
                                             std::string(to_string(action)) + ": " +
                                             allowed_in(from));
    }
    return OrderMove{row.to, false};
}

std::vector<OrderAction> allowed_order_actions(OrderState state, OrderRole role) {
    std::vector<OrderAction> actions;
    for (const Row& row : kRows) {
        if (row.from == state && row.role == role) actions.push_back(row.action);
    }
    return actions;
}

}  // namespace a2h
