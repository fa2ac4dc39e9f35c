#include <array>

#include "market/api/resources.h"

namespace a2h::market {

std::span<const std::span<const Route>> all_routes() {
    static const std::array kAll{
        identity_routes(),      login_routes(),         profile_routes(),  file_routes(),
        works_routes(),         reply_routes(),         order_routes(),    address_routes(),
        message_routes(),       lease_routes(),         payment_routes(),  capability_routes(),
        agent_profile_routes(), rfp_routes(),           proposal_routes(), session_routes(),
        deal_routes(),          documentation_routes(), operator_routes(), broker_routes(),
    };
    return kAll;
}

std::span<const std::span<const NamedSchema>> all_schemas() {
    static const std::array kAll{works_schemas(),      order_schemas(),         address_schemas(),
                                 message_schemas(),    lease_schemas(),         payment_schemas(),
                                 capability_schemas(), agent_profile_schemas(), rfp_schemas(),
                                 proposal_schemas(),   session_schemas(),       deal_schemas()};
    return kAll;
}

}  // namespace a2h::market
