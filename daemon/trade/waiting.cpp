#include "daemon/trade/waiting.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/wire/json_member.h"
#include "daemon/trade/order_view.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::text_member;

std::string peer_in(const json& row, std::string_view name) {
    std::string id = text_member(row, name);
    return is_agent_id(id) ? id : std::string();
}

void add_order(const json& row, std::vector<store::SeenOffer>& found) {
    const auto order = view_order(row);
    if (!order || order->state != OrderState::PendingConfirm || order->role != OrderRole::Customer)
        return;
    found.push_back({order->peer_id, "orderId", text_member(row, "orderId")});
}

void add_row(const json& row, std::string_view agent_id, std::vector<store::SeenOffer>& found) {
    if (!row.is_object()) return;
    if (!text_member(row, "orderId").empty()) add_order(row, found);
    if (!text_member(row, "proposal_id").empty() && text_member(row, "status") == "pending" &&
        text_member(row, "supplier_agent_id") != agent_id) {
        found.push_back(
            {peer_in(row, "supplier_agent_id"), "proposal_id", text_member(row, "proposal_id")});
    }
    if (!text_member(row, "message_id").empty() &&
        text_member(row, "sender_agent_id") != agent_id) {
        found.push_back(
            {peer_in(row, "sender_agent_id"), "message_id", text_member(row, "message_id")});
    }
}

}  // namespace

std::vector<store::SeenOffer> waiting_in(const json& data, std::string_view agent_id) {
    std::vector<store::SeenOffer> found;
    add_row(data, agent_id, found);
    if (!data.is_object()) return found;
    for (const json& list : data) {
        if (!list.is_array()) continue;
        for (const json& row : list)
            add_row(row, agent_id, found);
    }
    return found;
}

}  // namespace a2h::trade
