// Requests for proposals: create, list, show, change, compare the proposals.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/web/html.h"
#include "market/api/answer.h"
#include "market/api/body.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/exchange/exchange_json.h"
#include "market/exchange/rfps.h"
#include "market/exchange/summary.h"
#include "market/store/capability_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

std::string new_rfp_id() {
    return "rfp_" + random_hex(10);
}

json row_of(const Rfp& rfp, std::string_view agent_id, UnixMs now_ms) {
    json row = rfp_json(rfp, now_ms);
    row["role"] = rfp.creator_id == agent_id ? "creator" : "supplier";
    return row;
}

Result<Rfp> read_rfp(const Call& call, UnixMs now_ms) {
    Rfp rfp{.rfp_id = new_rfp_id(),
            .creator_id = call.caller.agent_id,
            .title = text_or(call.body, "title"),
            .description = text_or(call.body, "description"),
            .capability_type = text_or(call.body, "capability_type"),
            .created_at_ms = now_ms,
            .updated_at_ms = now_ms};
    if (trim(rfp.title).empty()) return fail(ErrorCode::InvalidArgument, "title is blank");
    if (capability_key(rfp.capability_type).empty()) {
        return fail(ErrorCode::InvalidArgument, "capability_type is blank");
    }
    for (const json& domain : call.body.value("domain_filters", json::array())) {
        rfp.domains.push_back(domain.get<std::string>());
        if (capability_key(rfp.domains.back()).empty()) {
            return fail(ErrorCode::InvalidArgument, "a domain filter is blank");
        }
    }
    if (call.body.contains("budget")) {
        A2H_ASSIGN_OR_RETURN(auto budget, read_price(call, "budget", "max"));
        rfp.budget = std::move(budget);
    }
    A2H_ASSIGN_OR_RETURN(const auto deadline, read_time(call.body, "deadline_at"));
    rfp.deadline_at_ms = deadline;
    return rfp;
}

Result<json> add_rfp(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto rfp, read_rfp(call, parts.clock.now_ms()));
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_TRY(create_rfp(transaction, rfp));
        return row_of(rfp, call.caller.agent_id, rfp.created_at_ms);
    });
}

Result<json> list_rfps(ApiParts& parts, const Call& call) {
    const Page page = read_page(call.query);
    RfpQuery query{.agent_id = call.caller.agent_id,
                   .status = parse_rfp_status(text_or(call.query, "status")),
                   .capability_type = text_or(call.query, "capability_type"),
                   .creator_id = text_or(call.query, "creator_id"),
                   .now_ms = parts.clock.now_ms(),
                   .offset = page.offset(),
                   .limit = page.limit()};
    const std::string role = text_or(call.query, "role");
    if (!role.empty()) query.role = role == "creator" ? RfpRole::Creator : RfpRole::Supplier;
    A2H_ASSIGN_OR_RETURN(const auto rfps, parts.database.read_with(store::list_rfps, query));
    json items = json::array();
    for (const Rfp& rfp : rfps)
        items.push_back(row_of(rfp, query.agent_id, query.now_ms));
    return page_json(page, std::move(items));
}

Result<json> show_rfp(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto seen, parts.database.read_with(see_rfp, call.arguments[0],
                                                                   call.caller.agent_id));
    return row_of(seen.rfp, call.caller.agent_id, parts.clock.now_ms());
}

Result<json> update_rfp(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto deadline, read_time(call.body, "deadline_at"));
    const RfpChange change{.status = parse_rfp_status(text_or(call.body, "status")),
                           .deadline_at_ms = deadline};
    const UnixMs now_ms = parts.clock.now_ms();
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto rfp, change_rfp(transaction, call.arguments[0],
                                                        call.caller.agent_id, change, now_ms));
        return row_of(rfp, call.caller.agent_id, now_ms);
    });
}

http::Response summarize(ApiParts& parts, const Call& call) {
    const UnixMs now_ms = parts.clock.now_ms();
    const auto summary =
        parts.database.read_with(summarize_rfp, call.arguments[0], call.caller.agent_id, now_ms);
    if (!summary) return failure(summary.error());
    const std::string language = text_or(call.query, "language");
    const auto spoken = language.empty()
                            ? web::accepted_language(call.request.header("accept-language"))
                            : i18n::language_of(language);
    const auto markdown = summary_markdown(*summary, spoken, now_ms);
    const bool wants_text =
        call.request.header("accept").find("text/markdown") != std::string_view::npos;
    if (text_or(call.query, "format", wants_text ? "markdown" : "json") == "markdown") {
        return {200,
                {{"Content-Type", "text/markdown; charset=utf-8"},
                 {"Cache-Control", "no-store"},
                 {"Vary", "Accept, Accept-Language"}},
                markdown};
    }
    json data = summary_json(*summary, now_ms);
    data["markdown"] = markdown;
    return success(data);
}

constexpr std::array kRfpsSchemas{
    NamedSchema{"ExchangePage", R"({"type":"integer","minimum":1,"maximum":1000000,
        "description":"counted from 1"})"},
    NamedSchema{"ExchangePageSize", R"({"type":"integer","minimum":1,"maximum":100})"},
    NamedSchema{"Price", R"({"type":"object","required":["currency","amount"],"properties":{
        "currency":{"type":"string","maxLength":3,"pattern":"^[A-Z]{3}$"},
        "amount":{"type":["number","string"],"maxLength":20,
            "description":"decimal major units: 5000 is 5000.00"}}})"},
    NamedSchema{"Budget", R"({"type":"object","required":["currency","max"],"properties":{
        "currency":{"type":"string","maxLength":3,"pattern":"^[A-Z]{3}$"},
        "max":{"type":["number","string"],"maxLength":20,
            "description":"decimal major units: 5000 is 5000.00"}}})"},
    NamedSchema{"RfpStatus", R"({"type":"string","enum":["open","closed","cancelled"]})"},
    NamedSchema{"Rfp", R"({"type":"object","required":["rfp_id","creator_agent_id","title",
        "description","capability_type","domain_filters","status","created_at","updated_at"],
        "properties":{"rfp_id":{"type":"string"},"creator_agent_id":{"type":"string"},
        "title":{"type":"string","maxLength":512},"description":{"type":"string"},
        "capability_type":{"type":"string"},
        "domain_filters":{"type":"array","items":{"type":"string"}},
        "budget":{"$ref":"#/components/schemas/Budget"},
        "deadline_at":{"type":"string","description":"proposals are refused from this time on"},
        "status":{"$ref":"#/components/schemas/RfpStatus"},
        "role":{"type":"string","enum":["creator","supplier"],"description":"role of the caller"},
        "created_at":{"type":"string"},"updated_at":{"type":"string"}}})"},
    NamedSchema{"RfpPage", R"({"type":"object","required":["items","page","page_size","more"],
        "properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Rfp"}},
        "page":{"type":"integer"},"page_size":{"type":"integer"},"more":{"type":"boolean"}}})"},
    NamedSchema{"RfpSummary", R"({"type":"object","required":["rfp","count","total","proposals",
        "markdown"],"properties":{"rfp":{"$ref":"#/components/schemas/Rfp"},
        "currency":{"type":"string","description":"the compared currency; absent: there is none"},
        "count":{"type":"integer","description":"live proposals: all but the withdrawn ones"},
        "total":{"type":"integer","description":"all proposals"},
        "proposals":{"type":"array","description":"best first","items":{"type":"object",
            "required":["proposal_id","supplier_agent_id","supplier_name","status","price",
            "other_currency","created_at"],"properties":{
            "proposal_id":{"type":"string"},"supplier_agent_id":{"type":"string"},
            "supplier_name":{"type":"string"},
            "status":{"$ref":"#/components/schemas/ProposalStatus"},
            "price":{"$ref":"#/components/schemas/Price"},
            "within_budget":{"type":"boolean","description":"absent: unknown"},
            "other_currency":{"type":"boolean","description":"not compared for this reason"},
            "delivery_at":{"type":"string"},
            "rank":{"type":"integer","description":"1 is best; absent: not compared"},
            "deal_id":{"type":"string"},"created_at":{"type":"string"}}}},
        "markdown":{"type":"string","description":"the same as a table for people"}}})"},
};

constexpr std::string_view kRfpData = R"({"$ref":"#/components/schemas/Rfp"})";

constexpr std::array kRfpsRoutes{
    Route{.method = "POST",
          .path = "/v1/rfps",
          .summary = "Creates a request for proposals; agents with a matching capability are "
                     "notified.",
          .body_schema = R"({"type":"object","required":["title","description","capability_type"],
            "properties":{"title":{"type":"string","minLength":1,"maxLength":512},
            "description":{"type":"string","minLength":1,"maxLength":8000},
            "capability_type":{"type":"string","minLength":1,"maxLength":64},
            "domain_filters":{"type":"array","maxItems":20,
                "items":{"type":"string","minLength":1,"maxLength":64},
                "description":"a supplier needs one of them; empty: no filter"},
            "budget":{"$ref":"#/components/schemas/Budget"},
            "deadline_at":{"type":"string","minLength":10,"maxLength":40,
                "description":"ISO 8601; the RFP closes automatically"}}})",
          .data_schema = kRfpData,
          .handler = add_rfp,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/rfps",
          .summary = "Lists RFPs that the caller created or may answer, newest first.",
          .query_schema = R"({"type":"object","properties":{
            "role":{"type":"string","enum":["creator","supplier"],
                "description":"creator: own RFPs, supplier: RFPs to answer; absent: both"},
            "status":{"$ref":"#/components/schemas/RfpStatus"},
            "capability_type":{"type":"string","maxLength":64},
            "creator_id":{"type":"string","maxLength":64},
            "page":{"$ref":"#/components/schemas/ExchangePage"},
            "page_size":{"$ref":"#/components/schemas/ExchangePageSize"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/RfpPage"})",
          .handler = list_rfps},
    Route{.method = "GET",
          .path = "/v1/rfps/{rfp_id}",
          .summary = "Returns an RFP that the caller created or may answer.",
          .data_schema = kRfpData,
          .handler = show_rfp},
    Route{.method = "PATCH",
          .path = "/v1/rfps/{rfp_id}",
          .summary = "Closes or cancels an RFP of the caller, or extends its deadline.",
          .body_schema = R"({"type":"object","properties":{
            "status":{"$ref":"#/components/schemas/RfpStatus"},
            "deadline_at":{"type":"string","minLength":10,"maxLength":40,
                "description":"ISO 8601, later than the present one"}}})",
          .data_schema = kRfpData,
          .handler = update_rfp,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/rfps/{rfp_id}/summary",
          .form = Form::Raw,
          .summary = "Compares the proposals of the caller's RFP; as a Markdown table with "
                     "format=markdown or Accept: text/markdown.",
          .query_schema = R"({"type":"object","properties":{
            "format":{"type":"string","enum":["json","markdown"]},
            "language":{"type":"string","enum":["en","zh"],
                "description":"language of the table; absent: that of Accept-Language"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/RfpSummary"})",
          .text_type = "text/markdown",
          .raw_handler = summarize},
};

}  // namespace

Resource rfp_resource() {
    return {"rfps", kRfpsRoutes, kRfpsSchemas};
}

}  // namespace a2h::market
