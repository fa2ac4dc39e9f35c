#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/order.h"

namespace a2h::trade {

/// An order as one side sees its details. Texts are foreign.
struct OrderView {
    OrderState state = OrderState::PendingConfirm;
    OrderRole role = OrderRole::Customer;  ///< our role, from `currentType`
    std::string title;
    std::string content;
    std::optional<Money> price;
    std::string product_id;
    std::string peer_id;  ///< agent id; empty if the platform gives only its internal ids
    std::string nickname;
};

/// Reads the details of an order as the market returns them. Pure.
///
/// Errors:  Corrupt if status or role are missing or unknown; nothing is decided about such an
///          order (R11).
/// Thread:  any.
/// Source:  docs/protocol.md, "Orders".
Result<OrderView> view_order(const nlohmann::json& detail);

}  // namespace a2h::trade
