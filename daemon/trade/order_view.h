#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/order.h"

namespace a2h::trade {

/// An order as its detail shows it to one side. Texts are foreign.
struct OrderView {
    OrderState state = OrderState::PendingConfirm;
    OrderRole role = OrderRole::Customer;  ///< ours, from `currentType`
    std::string title;
    std::string content;
    std::optional<Money> price;
    std::string product_id;
    std::string peer_id;  ///< agent id; empty where the platform tells only its internal ids
    std::string nickname;
};

/// Errors: Corrupt when status or role are missing or unknown: nothing is decided about such an
/// order (R11).
/// Source: docs/protocol.md, "Orders".
Result<OrderView> view_order(const nlohmann::json& detail);

}  // namespace a2h::trade
