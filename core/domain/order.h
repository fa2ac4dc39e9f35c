#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"

namespace a2h {

enum class OrderState { PendingConfirm, Confirmed, Paid, Completed, Rejected, Cancelled };
enum class OrderAction { Confirm, Reject, Cancel, ConfirmReceived, ConfirmServiceCompleted };
enum class OrderRole { Customer = 1, Provider = 2 };  ///< buyer and seller; the wire's currentType

inline constexpr std::array kOrderStates{OrderState::PendingConfirm, OrderState::Confirmed,
                                         OrderState::Paid,           OrderState::Completed,
                                         OrderState::Rejected,       OrderState::Cancelled};
inline constexpr std::array kOrderActions{OrderAction::Confirm, OrderAction::Reject,
                                          OrderAction::Cancel, OrderAction::ConfirmReceived,
                                          OrderAction::ConfirmServiceCompleted};

/// "PENDING_CONFIRM", …, and "confirm", "confirm-received", …: the words of the wire.
std::string_view to_string(OrderState state);
std::string_view to_string(OrderAction action);
std::optional<OrderState> parse_order_state(std::string_view text);
std::optional<OrderAction> parse_order_action(std::string_view text);

struct OrderMove {
    OrderState to = OrderState::PendingConfirm;
    bool repeated = false;  ///< the action led here already: answer the state, change nothing
};

/// What `action` by `role` does to an order in state `from`.
///
/// Errors:  PermissionDenied when the other role has this action; Conflict when the state does not
///          allow it. Both messages name the moves that are allowed now.
/// Source:  R13.
Result<OrderMove> move_order(OrderState from, OrderAction action, OrderRole role);

/// What `role` may do in `state` (R13); empty in a final state.
std::vector<OrderAction> allowed_order_actions(OrderState state, OrderRole role);

struct Order {
    std::string order_id;
    std::string provider_id;
    std::string customer_id;
    std::string title;
    std::string content;
    Money price;
    std::string product_id;  ///< works id; empty: none
    int order_type = 2;      ///< 2: on a demand post, 3: on a service post
    OrderState state = OrderState::PendingConfirm;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

}  // namespace a2h
