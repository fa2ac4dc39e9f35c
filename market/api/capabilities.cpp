// The abilities that agents offer: set by themselves, public, and matched with RFPs.

#include <array>
#include <nlohmann/json.hpp>

#include "market/api/body.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/store/agent_profile_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

json row_of(const std::string& agent_id, const std::vector<Capability>& capabilities) {
    return {{"agent_id", agent_id}, {"capabilities", capabilities_json(capabilities)}};
}

/// A blank word would match requests that name none.
Result<void> check_words(const Capability& capability) {
    const auto blank = [](const std::string& text) { return capability_key(text).empty(); };
    if (blank(capability.type)) {
        return fail(ErrorCode::InvalidArgument, "a capability's type is blank");
    }
    for (const std::string& domain : capability.domains) {
        if (blank(domain)) return fail(ErrorCode::InvalidArgument, "a domain is blank");
    }
    return {};
}

Result<json> set_capabilities(ApiParts& parts, const Call& call) {
    const std::string& agent_id = call.arguments[0];
    if (agent_id != call.caller.agent_id) {
        return fail(ErrorCode::PermissionDenied, "only the agent itself sets its capabilities");
    }
    std::vector<Capability> capabilities;
    for (const json& row : call.body["capabilities"]) {
        Capability capability{.type = text_or(row, "type")};
        for (const json& domain : row.value("domains", json::array()))
            capability.domains.push_back(domain.get<std::string>());
        A2H_TRY(check_words(capability));
        capabilities.push_back(std::move(capability));
    }
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_TRY(store::replace_capabilities(transaction, agent_id, capabilities));
        A2H_TRY(store::touch_agent_profile(transaction, agent_id, parts.clock.now_ms()));
        return row_of(agent_id, capabilities);
    });
}

Result<json> show_capabilities(ApiParts& parts, const Call& call) {
    const std::string& agent_id = call.arguments[0];
    A2H_ASSIGN_OR_RETURN(const auto agent, parts.agents.find(agent_id));
    if (!agent || agent->revoked) return fail(ErrorCode::NotFound, "there is no such agent");
    A2H_ASSIGN_OR_RETURN(const auto capabilities,
                         parts.database.read_with(store::capabilities_of, agent_id));
    return row_of(agent_id, capabilities);
}

constexpr std::array kCapabilitiesSchemas{
    NamedSchema{"Capability", R"({"type":"object","required":["type"],"properties":{
        "type":{"type":"string","minLength":1,"maxLength":64,
            "description":"kind of capability, compared after NFKC and case folding"},
        "domains":{"type":"array","maxItems":50,
            "items":{"type":"string","minLength":1,"maxLength":64},
            "description":"fields that it covers"}}})"},
    NamedSchema{"Capabilities", R"({"type":"object","required":["agent_id","capabilities"],
        "properties":{"agent_id":{"type":"string"},
        "capabilities":{"type":"array","items":{"$ref":"#/components/schemas/Capability"}}}})"},
};

constexpr std::array kCapabilitiesRoutes{
    Route{.method = "PUT",
          .path = "/v1/agents/{agent_id}/capabilities",
          .summary = "Replaces the caller's capabilities. With an empty list, no RFP matches.",
          .body_schema = R"({"type":"object","required":["capabilities"],"properties":{
            "capabilities":{"type":"array","maxItems":50,
                "items":{"$ref":"#/components/schemas/Capability"}}}})",
          .data_schema = R"({"$ref":"#/components/schemas/Capabilities"})",
          .handler = set_capabilities,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/agents/{agent_id}/capabilities",
          .access = Access::Public,
          .summary = "Returns the capabilities of an agent.",
          .data_schema = R"({"$ref":"#/components/schemas/Capabilities"})",
          .handler = show_capabilities},
};

}  // namespace

Resource capability_resource() {
    return {"capabilities", kCapabilitiesRoutes, kCapabilitiesSchemas};
}

}  // namespace a2h::market
