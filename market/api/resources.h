#pragma once

#include <span>

#include "market/api/route.h"

namespace a2h::market {

// The rows of each file of market/api, for routes.cpp.

std::span<const Route> documentation_routes();
std::span<const Route> identity_routes();
std::span<const Route> operator_routes();
std::span<const Route> works_routes();
std::span<const Route> order_routes();
std::span<const Route> payment_routes();
std::span<const Route> message_routes();

std::span<const NamedSchema> works_schemas();
std::span<const NamedSchema> order_schemas();
std::span<const NamedSchema> payment_schemas();
std::span<const NamedSchema> message_schemas();

}  // namespace a2h::market
