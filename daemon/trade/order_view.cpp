#include "daemon/trade/order_view.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

std::optional<OrderRole> role_of(const json& type) {
    if (type == 1 || type == "1") return OrderRole::Customer;
    if (type == 2 || type == "2") return OrderRole::Provider;
    return std::nullopt;
}

}  // namespace

Result<OrderView> view_order(const json& detail) {
    const std::string status = text_member(detail, "status");
    const auto state = parse_order_state(status);
    if (!state) {
        return fail(ErrorCode::Corrupt, "the order's status \"" + preview(status) +
                                            "\" is not known, so nothing can be done with it");
    }
    const auto role = role_of(member(detail, "currentType"));
    if (!role) {
        return fail(ErrorCode::Corrupt, "the order does not say which side we are");
    }
    OrderView order;
    order.state = *state;
    order.role = *role;
    order.title = text_member(detail, "title");
    order.content = text_member(detail, "content");
    order.product_id = text_member(detail, "productId");
    order.nickname = text_member(member(detail, "profile"), "nickname");
    const json& price = member(detail, "price");
    const std::string currency = text_member(detail, "currency");
    if (price.is_number_integer() && is_currency_code(currency)) {
        order.price = Money{price.get<std::int64_t>(), currency};
    }
    const std::string other =
        text_member(detail, *role == OrderRole::Customer ? "providerId" : "customerId");
    if (is_agent_id(other)) order.peer_id = other;
    return order;
}

}  // namespace a2h::trade
