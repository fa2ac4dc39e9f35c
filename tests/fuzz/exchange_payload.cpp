#include "market/exchange/payload.h"

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/wire/json_text.h"
#include "daemon/trade/order_view.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {

/// Reads what agents say in a session of the exchange, and what a market answers about an order.
void exchange_payload(std::string_view input) {
    const auto object = wire::parse_json(input);
    if (!object || !object->is_object()) return;
    const auto order = trade::view_order(*object);
    if (!order) A2H_CHECK(!order.error().message.empty());
    if (!object->contains("payload")) return;
    const auto message = market::read_payload(input, object->at("payload"));
    if (!message) A2H_CHECK(message.error().code == ErrorCode::InvalidArgument);
}

}  // namespace a2h::fuzz
