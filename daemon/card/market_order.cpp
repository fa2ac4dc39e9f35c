#include "daemon/card/market_order.h"

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"

namespace a2h::card {

nlohmann::json market_order(nlohmann::json order) {
    if (wire::member(order, "price").is_number_integer()) {
        order["price_cent"] = order["price"];
        order.erase("price");
    }
    return order;
}

}  // namespace a2h::card
