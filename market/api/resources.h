#pragma once

#include "market/api/route.h"

namespace a2h::market {

// The resource of each file in market/api, for routes.cpp.

Resource documentation_resource();
Resource address_resource();
Resource agent_profile_resource();
Resource broker_resource();
Resource file_resource();
Resource identity_resource();
Resource operator_resource();
Resource lease_resource();
Resource login_resource();
Resource profile_resource();
Resource reply_resource();
Resource works_resource();
Resource order_resource();
Resource payment_resource();
Resource message_resource();
Resource capability_resource();
Resource rfp_resource();
Resource proposal_resource();
Resource session_resource();
Resource deal_resource();

}  // namespace a2h::market
