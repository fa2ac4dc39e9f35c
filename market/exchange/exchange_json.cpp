#include "market/exchange/exchange_json.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/time_text.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// A double represents every decimal number with this many digits exactly.
constexpr std::int64_t kExactInDouble = 1'000'000'000'000'000;

void add_if(json& object, const char* name, const std::string& value) {
    if (!value.empty()) object[name] = value;
}

}  // namespace

json amount_json(const Money& money) {
    std::string text = to_text(money);
    text.resize(text.find(' '));
    const auto point = text.find('.');
    const bool whole =
        point == std::string::npos || text.find_first_not_of('0', point + 1) == std::string::npos;
    if (whole) {
        std::int64_t units = 0;
        std::from_chars(text.data(), text.data() + std::min(point, text.size()), units);
        return units;
    }
    if (money.minor >= kExactInDouble) return text;
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

json price_json(const Money& price) {
    return {{"currency", price.currency}, {"amount", amount_json(price)}};
}

json rfp_json(const Rfp& rfp, UnixMs now_ms) {
    json row{{"rfp_id", rfp.rfp_id},
             {"creator_agent_id", rfp.creator_id},
             {"title", rfp.title},
             {"description", rfp.description},
             {"capability_type", rfp.capability_type},
             {"domain_filters", rfp.domains},
             {"status", to_string(rfp.status_at(now_ms))},
             {"created_at", to_utc_time(rfp.created_at_ms)},
             {"updated_at", to_utc_time(rfp.updated_at_ms)}};
    if (rfp.budget) {
        row["budget"] = {{"currency", rfp.budget->currency}, {"max", amount_json(*rfp.budget)}};
    }
    if (rfp.deadline_at_ms) row["deadline_at"] = to_utc_time(*rfp.deadline_at_ms);
    return row;
}

json proposal_json(const Proposal& proposal) {
    json row{{"proposal_id", proposal.proposal_id},
             {"rfp_id", proposal.rfp_id},
             {"supplier_agent_id", proposal.supplier_id},
             {"status", to_string(proposal.status)},
             {"price", price_json(proposal.price)},
             {"created_at", to_utc_time(proposal.created_at_ms)},
             {"updated_at", to_utc_time(proposal.updated_at_ms)}};
    add_if(row, "delivery_at", proposal.delivery_at);
    add_if(row, "content", proposal.content);
    return row;
}

json session_json(const Session& session, std::string_view agent_id) {
    json row{{"session_id", session.session_id},
             {"agent_id", session.other(agent_id)},
             {"created_at", to_utc_time(session.created_at_ms)}};
    add_if(row, "rfp_id", session.rfp_id);
    add_if(row, "proposal_id", session.proposal_id);
    return row;
}

json message_json(const SessionMessage& message) {
    return {{"message_id", message.message_id},
            {"session_id", message.session_id},
            {"sender_agent_id", message.sender_id},
            {"type", message.type},
            {"payload", json::parse(message.payload_json, nullptr, false)},
            {"created_at", to_utc_time(message.created_at_ms)}};
}

std::string_view offer_state(const SessionMessage& offer, UnixMs now_ms) {
    if (!offer.answer.empty()) return offer.answer;
    return offer.valid_until_ms && now_ms > *offer.valid_until_ms ? "expired" : "open";
}

json deal_json(const Deal& deal) {
    json row{{"deal_id", deal.deal_id},
             {"status", "accepted"},
             {"offered_by", deal.offered_by},
             {"accepted_by", deal.accepted_by},
             {"price", price_json(deal.price)},
             {"price_minor", deal.price.minor},
             {"created_at", to_utc_time(deal.created_at_ms)}};
    add_if(row, "buyer_agent_id", deal.buyer_id);
    if (!deal.buyer_id.empty()) {
        row["supplier_agent_id"] =
            deal.buyer_id == deal.offered_by ? deal.accepted_by : deal.offered_by;
    }
    add_if(row, "rfp_id", deal.rfp_id);
    add_if(row, "proposal_id", deal.proposal_id);
    add_if(row, "session_id", deal.session_id);
    add_if(row, "offer_message_id", deal.offer_id);
    return row;
}

}  // namespace a2h::market
