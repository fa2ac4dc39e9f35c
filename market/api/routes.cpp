#include <array>

#include "market/api/resources.h"

namespace a2h::market {

std::span<const Resource> all_resources() {
    static const std::array kAll{
        identity_resource(),      login_resource(),   profile_resource(),
        file_resource(),          works_resource(),   reply_resource(),
        order_resource(),         address_resource(), message_resource(),
        lease_resource(),         payment_resource(), capability_resource(),
        agent_profile_resource(), rfp_resource(),     proposal_resource(),
        session_resource(),       deal_resource(),    documentation_resource(),
        operator_resource(),      broker_resource(),
    };
    return kAll;
}

}  // namespace a2h::market
