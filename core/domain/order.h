#pragma once

#include <array>
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
enum class OrderRole { Customer = 1, Provider = 2 };  ///< buyer and seller; currentType on the wire

inline constexpr std::array kOrderStates{OrderState::PendingConfirm, OrderState::Confirmed,
                                         OrderState::Paid,           OrderState::Completed,
                                         OrderState::Rejected,       OrderState::Cancelled};

/// The words on the wire: "PENDING_CONFIRM", …, and "confirm", "confirm-received", ….
std::string_view to_string(OrderState state);
std::string_view to_string(OrderAction action);
std::optional<OrderState> parse_order_state(std::string_view text);
std::optional<OrderAction> parse_order_action(std::string_view text);

struct OrderMove {
    OrderState to = OrderState::PendingConfirm;
    bool repeated =
        false;  ///< the action has already led to this state: answer with it, change nothing
};

/// The effect of `action` by `role` on an order in state `from`.
///
/// Errors:  PermissionDenied if the action belongs to the other role; Conflict if the state does
///          not allow it. Both messages name the actions that are allowed now.
/// Source:  R13.
Result<OrderMove> move_order(OrderState from, OrderAction action, OrderRole role);

/// The actions that `role` may take in `state` (R13); empty in a final state.
std::vector<OrderAction> allowed_order_actions(OrderState state, OrderRole role);

struct Order {
    std::string order_id;
    std::string provider_id;
    std::string customer_id;
    std::string title;
    std::string content;
    Money price;
    std::string product_id;  ///< works id; empty: none
    int order_type = 2;      ///< 2: of a demand post, 3: of a service post
    OrderState state = OrderState::PendingConfirm;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

}  // namespace a2h
