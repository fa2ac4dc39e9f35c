#pragma once

#include <span>

#include "market/api/route.h"

namespace a2h::market {

// The rows of each file of market/api, for routes.cpp.

std::span<const Route> identity_routes();
std::span<const Route> works_routes();

std::span<const NamedSchema> works_schemas();

}  // namespace a2h::market
