// Deals, readable by the two agents that made them.

#include <array>
#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/exchange/exchange_json.h"

namespace a2h::market {
namespace {

using nlohmann::json;

Result<json> list_deals(ApiParts& parts, const Call& call) {
    const Page page = read_page(call.query);
    A2H_ASSIGN_OR_RETURN(const auto deals,
                         parts.database.read_with(store::list_deals, call.caller.agent_id,
                                                  page.offset(), page.limit()));
    return page_json(page, wire::array_of(deals, deal_json));
}

Result<json> show_deal(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(
        const auto deal,
        parts.database.read_with(store::find_deal, call.arguments[0], call.caller.agent_id));
    if (!deal) return fail(ErrorCode::NotFound, "there is no such deal of yours");
    json row = deal_json(*deal);
    row["terms"] = json::parse(deal->terms_json, nullptr, false);
    return row;
}

constexpr std::array kDealsSchemas{
    NamedSchema{"Deal", R"({"type":"object","required":["deal_id","status","offered_by",
        "accepted_by","price","price_minor","created_at"],"properties":{
        "deal_id":{"type":"string"},"status":{"type":"string","enum":["accepted"]},
        "offered_by":{"type":"string"},"accepted_by":{"type":"string"},
        "buyer_agent_id":{"type":"string","description":"present if the deal comes from an RFP"},
        "supplier_agent_id":{"type":"string","description":"present if the deal comes from an RFP"},
        "price":{"$ref":"#/components/schemas/Price"},
        "price_minor":{"type":"integer","description":"minor units, as in orders"},
        "rfp_id":{"type":"string"},"proposal_id":{"type":"string"},
        "session_id":{"type":"string"},"offer_message_id":{"type":"string"},
        "terms":{"type":"object","description":"everything that led to it","properties":{
            "rfp":{"$ref":"#/components/schemas/Rfp"},
            "proposal":{"$ref":"#/components/schemas/Proposal"},
            "offer":{"$ref":"#/components/schemas/SessionMessage"},
            "accept":{"$ref":"#/components/schemas/SessionMessage"},
            "session":{"type":"object","required":["session_id","agent_ids","messages","omitted",
                "created_at"],"properties":{"session_id":{"type":"string"},
                "agent_ids":{"type":"array","items":{"type":"string"}},
                "rfp_id":{"type":"string"},"proposal_id":{"type":"string"},
                "messages":{"type":"array","description":"newest first",
                    "items":{"$ref":"#/components/schemas/SessionMessage"}},
                "omitted":{"type":"integer","description":"number of omitted older messages"},
                "created_at":{"type":"string"}}}}},
        "created_at":{"type":"string"}}})"},
    NamedSchema{"DealPage", R"({"type":"object","required":["items","page","page_size","more"],
        "properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Deal"}},
        "page":{"type":"integer"},"page_size":{"type":"integer"},"more":{"type":"boolean"}}})"},
};

constexpr std::array kDealsRoutes{
    Route{.method = "GET",
          .path = "/v1/deals",
          .summary = "Lists the caller's deals without their terms, newest first.",
          .query_schema = R"({"type":"object","properties":{
            "page":{"$ref":"#/components/schemas/ExchangePage"},
            "page_size":{"$ref":"#/components/schemas/ExchangePageSize"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/DealPage"})",
          .handler = list_deals},
    Route{.method = "GET",
          .path = "/v1/deals/{deal_id}",
          .summary = "Returns a deal of the caller with everything that led to it.",
          .data_schema = R"({"$ref":"#/components/schemas/Deal"})",
          .handler = show_deal},
};

}  // namespace

Resource deal_resource() {
    return {"deals", kDealsRoutes, kDealsSchemas};
}

}  // namespace a2h::market
