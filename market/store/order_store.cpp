#include "market/store/order_store.h"

#include <nlohmann/json.hpp>

#include "core/domain/listing.h"
#include "market/store/agent_store.h"
#include "market/store/event_store.h"
#include "market/store/works_store.h"

namespace a2h::market::store {
namespace {

using nlohmann::json;

constexpr auto kOrder =
    sql::table<Order>("trade_order",
                      A2H_COLUMNS(Order, order_id, provider_id, customer_id, title, content,
                                  product_id, order_type, created_at_ms, updated_at_ms),
                      sql::column("price_minor", &Order::price, &Money::minor),
                      sql::column("currency", &Order::price, &Money::currency),
                      sql::column("state", &Order::state, parse_order_state));

/// Only facts: otherwise a text of one side would reach the other with the market's signature.
std::string event_payload(const Order& order, OrderRole role, std::string_view action) {
    const std::string state(to_string(order.state));
    return json{{"type", "order.event"},
                {"text", "Order " + order.order_id + " is now " + state + ", " +
                             to_text(order.price) + "."},
                {"orderId", order.order_id},
                {"worksId", order.product_id},
                {"order",
                 {{"orderId", order.order_id},
                  {"action", action},
                  {"status", state},
                  {"price", order.price.minor},
                  {"currency", order.price.currency},
                  {"productId", order.product_id},
                  {"currentType", static_cast<int>(role)},
                  {"peerId", role == OrderRole::Customer ? order.provider_id : order.customer_id}}}}
        .dump();
}

Result<void> notify_both(db::Transaction& transaction, const Order& order, std::string_view action,
                         UnixMs now_ms) {
    A2H_TRY(announce(transaction, order.provider_id,
                     event_payload(order, OrderRole::Provider, action), now_ms));
    return announce(transaction, order.customer_id,
                    event_payload(order, OrderRole::Customer, action), now_ms);
}

Result<void> check_customer(db::Transaction& transaction, const Order& order) {
    if (order.customer_id == order.provider_id) {
        return fail(ErrorCode::InvalidArgument, "customerId is yourself");
    }
    A2H_ASSIGN_OR_RETURN(const auto customer, find_agent(transaction, order.customer_id));
    if (!customer || customer->revoked) {
        return fail(ErrorCode::NotFound, "there is no agent with that customerId");
    }
    return {};
}

Result<void> check_product(db::Transaction& transaction, const Order& order) {
    A2H_ASSIGN_OR_RETURN(const auto product, find_works(transaction, order.product_id));
    if (!product) return fail(ErrorCode::NotFound, "there is no post with that productId");
    const bool on_demand = order.order_type == static_cast<int>(ListingType::Demand);
    const std::string& owner = on_demand ? order.customer_id : order.provider_id;
    if (product->type == order.order_type && product->agent_id == owner) return {};
    return fail(ErrorCode::InvalidArgument,
                on_demand ? "orderType 2 needs as productId a demand post (type 2) of the customer"
                          : "orderType 3 needs as productId a service post (type 3) of yours");
}

}  // namespace

OrderRole role_of(const Order& order, std::string_view agent_id) {
    return order.provider_id == agent_id ? OrderRole::Provider : OrderRole::Customer;
}

Result<void> add_order(db::Transaction& transaction, const Order& order) {
    static const std::string kSql = kOrder.insert();
    A2H_TRY(check_customer(transaction, order));
    A2H_TRY(check_product(transaction, order));
    A2H_TRY(transaction.statement(kSql).put(kOrder, order));
    return notify_both(transaction, order, "create", order.created_at_ms);
}

Result<Order> move_order(db::Transaction& transaction, std::string_view order_id,
                         std::string_view agent_id, OrderAction action, UnixMs now_ms) {
    static constexpr std::string_view kMove =
        "update trade_order set state = $1, updated_at_ms = $2 where order_id = $3 and state = $4";
    A2H_ASSIGN_OR_RETURN(auto order, find_order(transaction, order_id, agent_id));
    if (!order) return fail(ErrorCode::NotFound, "there is no such order of yours");
    Order moved = std::move(*order);
    A2H_ASSIGN_OR_RETURN(const auto move,
                         a2h::move_order(moved.state, action, role_of(moved, agent_id)));
    if (move.repeated) return moved;
    const OrderState from = moved.state;
    moved.state = move.to;
    moved.updated_at_ms = now_ms;
    A2H_ASSIGN_OR_RETURN(const bool changed, transaction.statement(kMove).changes_a_row(
                                                 moved.state, now_ms, moved.order_id, from));
    if (!changed) {
        return fail(ErrorCode::Conflict,
                    "the other side has changed the order first; read it again");
    }
    A2H_TRY(notify_both(transaction, moved, to_string(action), now_ms));
    return moved;
}

Result<std::optional<Order>> find_order(db::Transaction& transaction, std::string_view order_id) {
    static const std::string kSql = kOrder.select("where order_id = $1");
    return transaction.statement(kSql).first(kOrder, order_id);
}

Result<std::optional<Order>> find_order(db::Transaction& transaction, std::string_view order_id,
                                        std::string_view agent_id) {
    auto order = find_order(transaction, order_id);
    const bool foreign =
        order && *order && (*order)->provider_id != agent_id && (*order)->customer_id != agent_id;
    return foreign ? std::optional<Order>() : order;
}

Result<OrderPage> list_orders(db::Transaction& transaction, const OrderQuery& query) {
    const std::string condition =
        std::string(query.role == OrderRole::Provider ? "where provider_id" : "where customer_id") +
        " = $1 and ($2 = '' or state = $2)";
    const std::string count = "select count(*) from trade_order " + condition;
    const std::string list =
        kOrder.select(condition + " order by created_at_ms desc, order_id limit $3 offset $4");
    const std::string_view state = sql::name_or_empty(query.state);
    OrderPage page;
    A2H_ASSIGN_OR_RETURN(page.total, transaction.statement(count).number(query.agent_id, state));
    A2H_ASSIGN_OR_RETURN(page.orders, transaction.statement(list).all(kOrder, query.agent_id, state,
                                                                      query.limit, query.offset));
    return page;
}

}  // namespace a2h::market::store
