// Orders between two agents: creation, the five actions, details, lists.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/store/order_store.h"
#include "market/store/profile_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::int64_t kListPageSize = 20;

/// `WKS` and 32 hex digits, because published clients find order ids in texts by this form.
std::string new_order_id() {
    return "WKS" + random_hex(16);
}

/// Returns what `agent_id` sees of its order. Here a user's id is its agent id.
json base_row(const Order& order, std::string_view agent_id) {
    return {{"orderId", order.order_id},
            {"providerId", order.provider_id},
            {"customerId", order.customer_id},
            {"title", order.title},
            {"content", order.content},
            {"price", order.price.minor},
            {"currency", order.price.currency},
            {"productId", order.product_id},
            {"orderType", order.order_type},
            {"status", to_string(order.state)},
            {"currentType", static_cast<int>(store::role_of(order, agent_id))},
            {"createdAt", to_utc_time(order.created_at_ms)},
            {"gmtCreate", to_utc_time(order.created_at_ms)},  // one published client reads this
            {"updatedAt", to_utc_time(order.updated_at_ms)}};
}

const std::string& peer_of(const Order& order, const Agent& caller) {
    return order.provider_id == caller.agent_id ? order.customer_id : order.provider_id;
}

/// An order with what the other side shows of itself.
struct SeenOrder {
    Order order;
    std::string avatar_url;
};

Result<SeenOrder> with_avatar(db::Transaction& transaction, Order order, const Agent& caller) {
    A2H_ASSIGN_OR_RETURN(auto profile, store::find_profile(transaction, peer_of(order, caller)));
    return SeenOrder{std::move(order), std::move(profile.avatar_url)};
}

Result<json> full_row(ApiParts& parts, const SeenOrder& seen, const Agent& caller) {
    json row = base_row(seen.order, caller.agent_id);
    A2H_ASSIGN_OR_RETURN(const auto peer, parts.agents.find(peer_of(seen.order, caller)));
    row["profile"] = {{"userId", peer_of(seen.order, caller)},
                      {"nickname", peer ? peer->name : ""},
                      {"avatarUrl", seen.avatar_url}};
    return row;
}

Result<Order> read_order(const Call& call, UnixMs now_ms) {
    Order order{.order_id = new_order_id(),
                .provider_id = text_or(call.body, "providerId", call.caller.agent_id),
                .customer_id = text_or(call.body, "customerId"),
                .title = text_or(call.body, "title"),
                .content = text_or(call.body, "content"),
                .price = {integer_of(call.body, "price", 0), text_or(call.body, "currency")},
                .product_id = text_or(call.body, "productId"),
                .order_type = static_cast<int>(integer_of(call.body, "orderType", 0)),
                .state = OrderState::PendingConfirm,
                .created_at_ms = now_ms,
                .updated_at_ms = now_ms};
    if (order.provider_id != call.caller.agent_id) {
        return fail(ErrorCode::PermissionDenied, "only the provider creates an order");
    }
    if (trim(order.title).empty()) return fail(ErrorCode::InvalidArgument, "title is blank");
    return order;
}

Result<json> create_order(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto order, read_order(call, parts.clock.now_ms()));
    A2H_ASSIGN_OR_RETURN(const auto seen,
                         parts.database.read_with(with_avatar, order, call.caller));
    A2H_ASSIGN_OR_RETURN(const auto row, full_row(parts, seen, call.caller));
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_TRY(store::add_order(transaction, order));
        return row;
    });
}

template <OrderAction kAction>
Result<json> act_on_order(ApiParts& parts, const Call& call) {
    const UnixMs now_ms = parts.clock.now_ms();
    auto row = write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto order,
                             store::move_order(transaction, call.arguments[0], call.caller.agent_id,
                                               kAction, now_ms));
        return base_row(order, call.caller.agent_id);
    });
    return row;
}

Result<json> show_order(ApiParts& parts, const Call& call) {
    const auto seen =
        parts.database.read_as<SeenOrder>([&](db::Transaction& transaction) -> Result<SeenOrder> {
            A2H_ASSIGN_OR_RETURN(auto order, store::find_order(transaction, call.arguments[0],
                                                               call.caller.agent_id));
            if (!order) return fail(ErrorCode::NotFound, "there is no such order of yours");
            return with_avatar(transaction, std::move(*order), call.caller);
        });
    return seen ? full_row(parts, *seen, call.caller) : fail(seen.error());
}

struct SeenPage {
    std::int64_t total = 0;
    std::vector<SeenOrder> orders;
};

Result<SeenPage> find_page(db::Transaction& transaction, const OrderQuery& query,
                           const Agent& caller) {
    A2H_ASSIGN_OR_RETURN(auto found, store::list_orders(transaction, query));
    SeenPage page{found.total, {}};
    for (Order& order : found.orders) {
        A2H_ASSIGN_OR_RETURN(auto seen, with_avatar(transaction, std::move(order), caller));
        page.orders.push_back(std::move(seen));
    }
    return page;
}

template <OrderRole kRole>
Result<json> list_orders(ApiParts& parts, const Call& call) {
    const std::int64_t page = std::max<std::int64_t>(integer_of(call.query, "page", 1), 1);
    OrderQuery query{.agent_id = call.caller.agent_id,
                     .role = kRole,
                     .state = parse_order_state(text_or(call.query, "status")),
                     .offset = 0,
                     .limit = integer_of(call.query, "pageSize", kListPageSize)};
    query.offset = (page - 1) * query.limit;
    A2H_ASSIGN_OR_RETURN(const auto found, parts.database.read_with(find_page, query, call.caller));
    json rows = json::array();
    for (const SeenOrder& seen : found.orders) {
        A2H_ASSIGN_OR_RETURN(auto row, full_row(parts, seen, call.caller));
        rows.push_back(std::move(row));
    }
    return json{{"total", found.total}, {"page", page}, {"pageSize", query.limit}, {"list", rows}};
}

constexpr std::array kOrdersSchemas{
    NamedSchema{"OrderStatus", R"({"type":"string","enum":["PENDING_CONFIRM","CONFIRMED","PAID",
        "COMPLETED","REJECTED","CANCELLED"]})"},
    NamedSchema{"Order", R"({"type":"object","required":["orderId","providerId","customerId",
        "title","content","price","currency","productId","orderType","status","currentType",
        "createdAt","gmtCreate","updatedAt"],"properties":{
        "orderId":{"type":"string","pattern":"^WKS[0-9a-f]{30,}$"},
        "providerId":{"type":"string","description":"user id of the seller"},
        "customerId":{"type":"string","description":"user id of the buyer"},
        "title":{"type":"string","maxLength":100},"content":{"type":"string","maxLength":2000},
        "price":{"type":"integer","minimum":1,"maximum":9007199254740991,
            "description":"minor units of currency"},
        "currency":{"type":"string","pattern":"^[A-Z]{3}$"},"productId":{"type":"string"},
        "orderType":{"type":"integer","enum":[2,3]},
        "status":{"$ref":"#/components/schemas/OrderStatus"},
        "currentType":{"type":"integer","enum":[1,2],
            "description":"role of the caller: 1 customer, 2 provider"},
        "profile":{"type":"object","description":"profile of the other side","required":["userId",
            "nickname","avatarUrl"],"properties":{"userId":{"type":"string"},
            "nickname":{"type":"string"},"avatarUrl":{"type":"string"}}},
        "createdAt":{"type":"string"},
        "gmtCreate":{"type":"string","description":"the same as createdAt"},
        "updatedAt":{"type":"string"}}})"},
    NamedSchema{"OrderPage", R"({"type":"object","required":["total","page","pageSize","list"],
        "properties":{"total":{"type":"integer"},"page":{"type":"integer"},
        "pageSize":{"type":"integer"},
        "list":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}})"},
};

constexpr std::string_view kOrderData = R"({"$ref":"#/components/schemas/Order"})";
constexpr std::string_view kNoFields = R"({"type":"object","properties":{}})";
constexpr std::string_view kListQuery = R"({"type":"object","properties":{
    "page":{"type":"integer","minimum":0,"maximum":1000000,
        "description":"1 is the first page, and so is 0"},
    "pageSize":{"type":"integer","minimum":1,"maximum":100},
    "status":{"$ref":"#/components/schemas/OrderStatus"}}})";

template <OrderAction kAction>
constexpr Route action_route(std::string_view path, std::string_view summary) {
    return {.method = "POST",
            .path = path,
            .summary = summary,
            .body_schema = kNoFields,
            .data_schema = kOrderData,
            .handler = act_on_order<kAction>,
            .once = true};
}

template <OrderRole kRole>
constexpr Route list_route(std::string_view path, std::string_view summary) {
    return {.method = "GET",
            .path = path,
            .summary = summary,
            .query_schema = kListQuery,
            .data_schema = R"({"$ref":"#/components/schemas/OrderPage"})",
            .handler = list_orders<kRole>};
}

constexpr std::array kOrdersRoutes{
    Route{.method = "POST",
          .path = "/findu-trade/api/v1/orders/create",
          .summary = "The provider offers an order to a customer, who confirms or rejects it.",
          .body_schema = R"({"type":"object","required":["customerId","title","price","currency",
            "productId","orderType"],"properties":{
            "providerId":{"type":"string","minLength":1,"maxLength":64,
                "description":"the caller"},
            "customerId":{"type":"string","minLength":1,"maxLength":64},
            "title":{"type":"string","minLength":1,"maxLength":100},
            "content":{"type":"string","maxLength":2000},
            "price":{"type":"integer","minimum":1,"maximum":9007199254740991,
                "description":"minor units of currency"},
            "currency":{"type":"string","pattern":"^[A-Z]{3}$"},
            "productId":{"type":"string","minLength":1,"maxLength":64,
                "description":"a demand post of the customer or a service post of the provider"},
            "orderType":{"type":"integer","enum":[2,3],
                "description":"2: on a demand post, 3: on a service post"}}})",
          .data_schema = kOrderData,
          .handler = create_order,
          .once = true},
    action_route<OrderAction::Confirm>("/findu-trade/api/v1/orders/{order_id}/confirm",
                                       "The customer accepts the order."),
    action_route<OrderAction::Reject>("/findu-trade/api/v1/orders/{order_id}/reject",
                                      "The customer refuses the order."),
    action_route<OrderAction::Cancel>("/findu-trade/api/v1/orders/{order_id}/cancel",
                                      "The provider withdraws the order."),
    action_route<OrderAction::ConfirmReceived>(
        "/findu-trade/api/v1/orders/{order_id}/confirm-received",
        "The provider has received the payment."),
    action_route<OrderAction::ConfirmServiceCompleted>(
        "/findu-trade/api/v1/orders/{order_id}/confirm-service-completed",
        "The customer has received the parts."),
    Route{.method = "GET",
          .path = "/findu-trade/api/v1/orders/{order_id}/detail",
          .summary = "Returns an order of the caller.",
          .data_schema = kOrderData,
          .handler = show_order,
          .quick = true},
    list_route<OrderRole::Provider>("/findu-trade/api/v1/orders/sales-orders",
                                    "Orders in which the caller sells, newest first."),
    list_route<OrderRole::Customer>("/findu-trade/api/v1/orders/purchase-orders",
                                    "Orders in which the caller buys, newest first."),
};

}  // namespace

Resource order_resource() {
    return {"orders", kOrdersRoutes, kOrdersSchemas};
}

}  // namespace a2h::market
