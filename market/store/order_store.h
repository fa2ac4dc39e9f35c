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

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Adds `order` and an event for both sides.
///
/// Errors:  NotFound if the customer or the product does not exist; InvalidArgument if the customer
///          is the provider, or if the product does not fit: `order_type` 2 needs a demand post of
///          the customer, 3 a service post of the provider.
Result<void> add_order(db::Transaction& transaction, const Order& order);

/// Carries out `action` for `agent_id` and notifies both sides; a repeated action returns the order
/// and has no effect. Of two simultaneous actions one succeeds, and the other gets a Conflict.
///
/// Errors:  NotFound if that agent has no such order; those of `move_order`.
/// Source:  R13.
Result<Order> move_order(db::Transaction& transaction, std::string_view order_id,
                         std::string_view agent_id, OrderAction action, UnixMs now_ms);

/// nullopt if there is none, or if `agent_id` is not one of its two sides.
Result<std::optional<Order>> find_order(db::Transaction& transaction, std::string_view order_id,
                                        std::string_view agent_id);
/// The same for the market itself, for any agent.
Result<std::optional<Order>> find_order(db::Transaction& transaction, std::string_view order_id);
/// Newest first; equal times by id, so pages never overlap.
Result<OrderPage> list_orders(db::Transaction& transaction, const OrderQuery& query);

/// The role of one of the two sides.
OrderRole role_of(const Order& order, std::string_view agent_id);

}  // namespace a2h::market::store
