#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/order.h"
#include "market/db/database.h"

namespace a2h::market {

struct OrderQuery {
    std::string agent_id;
    OrderRole role = OrderRole::Provider;  ///< sales or purchases of the agent
    std::optional<OrderState> state;       ///< nullopt: any
    std::int64_t offset = 0;
    std::int64_t limit = 20;
};

struct OrderPage {
    std::int64_t total = 0;
    std::vector<Order> orders;
};

}  // namespace a2h::market

namespace a2h::market::store {

/// Adds `order` and an event for both sides.
///
/// Errors:  NotFound when the customer or the product does not exist; InvalidArgument when the
///          customer is the provider, or the product does not fit: `order_type` 2 is on a demand
///          post of the customer, 3 on a service post of the provider.
Result<void> add_order(db::Transaction& transaction, const Order& order);

/// Does `action` as `agent_id` and tells both sides; a repeat answers the order and changes
/// nothing. Of two that race for an order one wins, the other one gets the Conflict.
///
/// Errors:  NotFound when there is no such order of that agent; those of `move_order`.
/// Source:  R13.
Result<Order> move_order(db::Transaction& transaction, std::string_view order_id,
                         std::string_view agent_id, OrderAction action, UnixMs now_ms);

/// nullopt when there is none, or `agent_id` is not one of its two sides.
Result<std::optional<Order>> find_order(db::Transaction& transaction, std::string_view order_id,
                                        std::string_view agent_id);
/// The same for the market itself, whoever is concerned.
Result<std::optional<Order>> find_order(db::Transaction& transaction, std::string_view order_id);
/// Newest first; equal times by id, so pages never overlap.
Result<OrderPage> list_orders(db::Transaction& transaction, const OrderQuery& query);

/// The role of one of the two sides.
OrderRole role_of(const Order& order, std::string_view agent_id);

}  // namespace a2h::market::store
