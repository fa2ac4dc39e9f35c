#pragma once

#include <span>

#include "market/api/route.h"

namespace a2h::market {

// The rows of each file in market/api, for routes.cpp.

std::span<const Route> documentation_routes();
std::span<const Route> address_routes();
std::span<const Route> agent_profile_routes();
std::span<const Route> broker_routes();
std::span<const Route> file_routes();
std::span<const Route> identity_routes();
std::span<const Route> operator_routes();
std::span<const Route> lease_routes();
std::span<const Route> login_routes();
std::span<const Route> profile_routes();
std::span<const Route> reply_routes();
std::span<const Route> works_routes();
std::span<const Route> order_routes();
std::span<const Route> payment_routes();
std::span<const Route> message_routes();
std::span<const Route> capability_routes();
std::span<const Route> rfp_routes();
std::span<const Route> proposal_routes();
std::span<const Route> session_routes();
std::span<const Route> deal_routes();

std::span<const NamedSchema> address_schemas();
std::span<const NamedSchema> agent_profile_schemas();
std::span<const NamedSchema> lease_schemas();
std::span<const NamedSchema> works_schemas();
std::span<const NamedSchema> order_schemas();
std::span<const NamedSchema> payment_schemas();
std::span<const NamedSchema> message_schemas();
std::span<const NamedSchema> capability_schemas();
std::span<const NamedSchema> rfp_schemas();
std::span<const NamedSchema> proposal_schemas();
std::span<const NamedSchema> session_schemas();
std::span<const NamedSchema> deal_schemas();

}  // namespace a2h::market
