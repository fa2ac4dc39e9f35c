// Suppliers' proposals for an RFP: submit, list, show, accept, reject, withdraw.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "core/wire/json_member.h"
#include "market/api/body.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/exchange/exchange_json.h"
#include "market/exchange/proposals.h"
#include "market/exchange/rfps.h"

namespace a2h::market {
namespace {

using nlohmann::json;

std::string new_proposal_id() {
    return "prop_" + random_hex(10);
}

json row_of(const SeenProposal& seen) {
    json row = proposal_json(seen.proposal);
    if (!seen.deal_id.empty()) row["deal_id"] = seen.deal_id;
    return row;
}

/// Terms belong in `content`, where the person who accepts looks for them.
Result<void> check_delivery(const Call& call) {
    const std::string delivery = text_or(call.body, "delivery_at");
    if (delivery.empty() || parse_day_or_time(delivery)) return {};
    return fail(ErrorCode::InvalidArgument,
                "delivery_at must be a day like 2026-12-01, or a time with a zone like "
                "2026-12-01T18:00:00+08:00; put words into content");
}

Result<json> add_proposal(ApiParts& parts, const Call& call) {
    A2H_TRY(check_delivery(call));
    A2H_ASSIGN_OR_RETURN(const auto price, read_price(call, "price", "amount"));
    const UnixMs now_ms = parts.clock.now_ms();
    const Proposal proposal{.proposal_id = new_proposal_id(),
                            .rfp_id = call.arguments[0],
                            .supplier_id = call.caller.agent_id,
                            .status = ProposalStatus::Pending,
                            .price = price,
                            .delivery_at = text_or(call.body, "delivery_at"),
                            .content = text_or(call.body, "content"),
                            .created_at_ms = now_ms,
                            .updated_at_ms = now_ms};
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_TRY(submit_proposal(transaction, proposal));
        return proposal_json(proposal);
    });
}

Result<json> list_proposals(ApiParts& parts, const Call& call) {
    const Page page = read_page(call.query);
    return parts.database.read_as<json>([&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto seen,
                             see_rfp(transaction, call.arguments[0], call.caller.agent_id));
        const bool all = seen.role == RfpRole::Creator;
        A2H_ASSIGN_OR_RETURN(
            const auto proposals,
            store::list_proposals(transaction,
                                  {.rfp_id = seen.rfp.rfp_id,
                                   .supplier_id = all ? std::string() : call.caller.agent_id,
                                   .offset = page.offset(),
                                   .limit = page.limit()}));
        return page_json(page, wire::array_of(proposals, proposal_json));
    });
}

Result<json> show_proposal(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto seen, parts.database.read_with(see_proposal, call.arguments[0],
                                                                   call.caller.agent_id));
    return row_of(seen);
}

Result<json> update_proposal(ApiParts& parts, const Call& call) {
    const auto to = parse_proposal_status(text_or(call.body, "status"));
    if (!to) return fail(ErrorCode::InvalidArgument, "status is missing");
    const UnixMs now_ms = parts.clock.now_ms();
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto seen, move_proposal(transaction, call.arguments[0],
                                                            call.caller.agent_id, *to, now_ms));
        return row_of(seen);
    });
}

constexpr std::array kProposalsSchemas{
    NamedSchema{"ProposalStatus",
                R"({"type":"string","enum":["pending","accepted","rejected","withdrawn"]})"},
    NamedSchema{"Proposal", R"({"type":"object","required":["proposal_id","rfp_id",
        "supplier_agent_id","status","price","created_at","updated_at"],"properties":{
        "proposal_id":{"type":"string"},"rfp_id":{"type":"string"},
        "supplier_agent_id":{"type":"string"},
        "status":{"$ref":"#/components/schemas/ProposalStatus"},
        "price":{"$ref":"#/components/schemas/Price"},
        "delivery_at":{"type":"string","description":"a day or a time"},
        "content":{"type":"string"},
        "deal_id":{"type":"string","description":"the deal that it became"},
        "created_at":{"type":"string"},"updated_at":{"type":"string"}}})"},
    NamedSchema{"ProposalPage", R"({"type":"object","required":["items","page","page_size","more"],
        "properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Proposal"}},
        "page":{"type":"integer"},"page_size":{"type":"integer"},"more":{"type":"boolean"}}})"},
};

constexpr std::string_view kProposalData = R"({"$ref":"#/components/schemas/Proposal"})";

constexpr std::array kProposalsRoutes{
    Route{.method = "POST",
          .path = "/v1/rfps/{rfp_id}/proposals",
          .summary = "Submits a matched supplier's proposal. A supplier has at most one live "
                     "proposal for an RFP.",
          .body_schema = R"({"type":"object","required":["price"],"properties":{
            "price":{"$ref":"#/components/schemas/Price"},
            "delivery_at":{"type":"string","minLength":1,"maxLength":128,
                "description":"a day, 2026-12-01, or a time with a zone"},
            "content":{"type":"string","maxLength":8000}}})",
          .data_schema = kProposalData,
          .handler = add_proposal,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/rfps/{rfp_id}/proposals",
          .summary = "Lists proposals for an RFP, oldest first: all of them for its creator, its "
                     "own for a supplier.",
          .query_schema = R"({"type":"object","properties":{
            "page":{"$ref":"#/components/schemas/ExchangePage"},
            "page_size":{"$ref":"#/components/schemas/ExchangePageSize"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/ProposalPage"})",
          .handler = list_proposals},
    Route{.method = "GET",
          .path = "/v1/proposals/{proposal_id}",
          .summary = "Returns a proposal to its supplier or the RFP's creator.",
          .data_schema = kProposalData,
          .handler = show_proposal},
    Route{.method = "PATCH",
          .path = "/v1/proposals/{proposal_id}",
          .summary = "Accepts or rejects a proposal (the RFP's creator) or withdraws it (its "
                     "supplier). An accepted one becomes a deal.",
          .body_schema = R"({"type":"object","required":["status"],"properties":{
            "status":{"$ref":"#/components/schemas/ProposalStatus"}}})",
          .data_schema = kProposalData,
          .handler = update_proposal,
          .once = true},
};

}  // namespace

Resource proposal_resource() {
    return {"proposals", kProposalsRoutes, kProposalsSchemas};
}

}  // namespace a2h::market
