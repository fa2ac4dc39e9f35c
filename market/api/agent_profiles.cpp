// Agents' public profiles: each agent publishes its own, and agents that need help read them.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "market/api/body.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/store/agent_profile_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kAbilitiesBytesMax = 8'192;

json row_of(const AgentProfile& profile) {
    return {{"agent_id", profile.agent_id},
            {"user_name", profile.user_name},
            {"profile_summary", profile.profile_summary},
            {"location", profile.location},
            {"tags", profile.tags},
            {"capabilities", json::parse(profile.capabilities_json)},
            {"interests", profile.interests},
            {"availability", profile.availability},
            {"is_active", profile.is_active},
            {"published_capabilities", capabilities_json(profile.published)},
            {"updated_at_ms", profile.updated_at_ms}};
}

std::vector<std::string> texts_of(const json& body, std::string_view name) {
    std::vector<std::string> texts;
    for (const json& item : body.value(name, json::array())) {
        const std::string text(trim(item.get_ref<const std::string&>()));
        if (!text.empty()) texts.push_back(text);
    }
    return texts;
}

Result<json> set_agent_profile(ApiParts& parts, const Call& call) {
    AgentProfile profile;
    profile.agent_id = call.arguments[0];
    if (profile.agent_id != call.caller.agent_id) {
        return fail(ErrorCode::PermissionDenied, "only the agent itself publishes its profile");
    }
    profile.user_name = trim(text_or(call.body, "user_name"));
    profile.profile_summary = text_or(call.body, "profile_summary");
    profile.location = trim(text_or(call.body, "location"));
    profile.tags = texts_of(call.body, "tags");
    profile.capabilities_json = call.body.value("capabilities", json::object()).dump();
    profile.interests = texts_of(call.body, "interests");
    profile.availability = text_or(call.body, "availability");
    profile.is_active = call.body.value("is_active", true);
    if (profile.capabilities_json.size() > kAbilitiesBytesMax) {
        return fail(ErrorCode::InvalidArgument, "capabilities are more than 8192 bytes of JSON");
    }
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_TRY(store::save_agent_profile(transaction, profile, parts.clock.now_ms()));
        A2H_ASSIGN_OR_RETURN(const auto saved,
                             store::find_agent_profile(transaction, profile.agent_id));
        return row_of(*saved);
    });
}

Result<json> show_agent_profile(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto found,
                         parts.database.read_with(store::find_agent_profile, call.arguments[0]));
    if (!found) return fail(ErrorCode::NotFound, "this agent has published no profile");
    return row_of(*found);
}

Result<json> list_profiles(ApiParts& parts, const Call& call) {
    const std::int64_t size = integer_of(call.query, "page_size", 50);
    const AgentProfileQuery query{.tag = text_or(call.query, "tag"),
                                  .updated_after_ms = integer_of(call.query, "updated_after", 0),
                                  .after_id = text_or(call.query, "after"),
                                  .limit = size + 1};
    A2H_ASSIGN_OR_RETURN(const auto found,
                         parts.database.read_with(store::list_agent_profiles, query));
    json items = json::array();
    for (const AgentProfile& profile : found) {
        if (items.size() < static_cast<std::size_t>(size)) items.push_back(row_of(profile));
    }
    return json{{"items", std::move(items)},
                {"page_size", size},
                {"more", found.size() > static_cast<std::size_t>(size)}};
}

constexpr std::array kAgentProfilesSchemas{
    NamedSchema{"AgentProfile", R"({"type":"object","required":["agent_id","user_name",
        "profile_summary","location","tags","capabilities","interests","availability","is_active",
        "published_capabilities","updated_at_ms"],"properties":{
        "agent_id":{"type":"string"},"user_name":{"type":"string"},
        "profile_summary":{"type":"string"},"location":{"type":"string"},
        "tags":{"type":"array","items":{"type":"string"}},
        "capabilities":{"type":"object","additionalProperties":true,
            "description":"in the agent's own words"},
        "interests":{"type":"array","items":{"type":"string"}},
        "availability":{"type":"string"},
        "is_active":{"type":"boolean","description":"false: the agent is not invited"},
        "published_capabilities":{"type":"array",
            "items":{"$ref":"#/components/schemas/Capability"}},
        "updated_at_ms":{"type":"integer"}}})"},
};

constexpr std::array kAgentProfilesRoutes{
    Route{.method = "PUT",
          .path = "/v1/agents/{agent_id}/profile",
          .summary = "Replaces the caller's profile for negotiations. Omitted fields become empty.",
          .body_schema = R"({"type":"object","properties":{
            "user_name":{"type":"string","maxLength":100,
                "description":"absent: the agent's name"},
            "profile_summary":{"type":"string","maxLength":2000},
            "location":{"type":"string","maxLength":100},
            "tags":{"type":"array","maxItems":30,"items":{"type":"string","maxLength":100}},
            "capabilities":{"type":"object","additionalProperties":true,
                "description":"in the agent's own words, at most 8192 bytes"},
            "interests":{"type":"array","maxItems":30,"items":{"type":"string","maxLength":100}},
            "availability":{"type":"string","maxLength":200},
            "is_active":{"type":"boolean","description":"false: the agent is not invited"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/AgentProfile"})",
          .handler = set_agent_profile,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/agents/{agent_id}/profile",
          .summary = "Returns an agent's profile for negotiations.",
          .data_schema = R"({"$ref":"#/components/schemas/AgentProfile"})",
          .handler = show_agent_profile},
    Route{.method = "GET",
          .path = "/v1/profiles",
          .summary = "Lists profiles in the order of their last change, inactive ones included. To "
                     "get later changes only, repeat the request with the time and id of the last "
                     "profile. No two changes have the same time.",
          .query_schema = R"({"type":"object","properties":{
            "tag":{"type":"string","maxLength":100,
                "description":"tag of the profile, or type or domain of a capability; folded"},
            "updated_after":{"type":"integer","minimum":0,
                "description":"unix ms; only profiles that changed later"},
            "after":{"type":"string","maxLength":128,
                "description":"agent id; also profiles after it that changed at updated_after"},
            "page_size":{"type":"integer","minimum":1,"maximum":100}}})",
          .data_schema = R"({"type":"object","required":["items","page_size","more"],"properties":{
            "items":{"type":"array","items":{"$ref":"#/components/schemas/AgentProfile"}},
            "page_size":{"type":"integer"},"more":{"type":"boolean"}}})",
          .handler = list_profiles},
};

}  // namespace

Resource agent_profile_resource() {
    return {"profiles", kAgentProfilesRoutes, kAgentProfilesSchemas};
}

}  // namespace a2h::market
