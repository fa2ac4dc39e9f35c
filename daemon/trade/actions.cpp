#include "daemon/trade/actions.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/domain/order.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::text_member;

bool is_about(const json& request, const json& news, const char* id) {
    const std::string named = text_member(request, id);
    return !named.empty() && named == text_member(news, id);
}

bool is_move_void(const json& request, const json& news) {
    const json& order = wire::member(news, "order");
    const auto action = parse_order_action(text_member(request, "action"));
    const auto state = parse_order_state(text_member(order, "status"));
    const json& role = wire::member(order, "currentType");
    const std::string order_id = text_member(request, "order_id");
    if (!action || !state || order_id.empty() || text_member(order, "orderId") != order_id ||
        (role != 1 && role != 2)) {
        return false;
    }
    const auto allowed =
        allowed_order_actions(*state, role == 1 ? OrderRole::Customer : OrderRole::Provider);
    return std::find(allowed.begin(), allowed.end(), *action) == allowed.end();
}

bool is_answer_void(const json& request, const json& news) {
    return text_member(news, "type") == "proposal.event" &&
           text_member(news, "event") != "submitted" && is_about(request, news, "proposal_id");
}

bool is_proposal_void(const json& request, const json& news) {
    const std::string event = text_member(news, "event");
    return text_member(news, "type") == "rfp.event" &&
           (event == "closed" || event == "cancelled") && is_about(request, news, "rfp_id");
}

constexpr consent::ActionRow kActions[] = {
    {.action = "order.action", .is_void = is_move_void},
    {.action = "proposal.update", .is_void = is_answer_void},
    {.action = "proposal.submit", .is_void = is_proposal_void},
};

}  // namespace

void register_actions() {
    consent::register_actions(kActions);
}

}  // namespace a2h::trade
