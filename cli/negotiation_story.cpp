#include "cli/negotiation_story.h"

#include <algorithm>
#include <initializer_list>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/sections.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::string_view kEventTypes = "towow.";

std::string gap_names(const Invocation& invocation, const json& payload) {
    std::string all;
    for (const json& gap : items_of(payload, "gaps"))
        add_to_list(invocation, all, text_of(gap, "gap_type"));
    return all;
}

std::string candidate_names(const Invocation& invocation, const json& payload) {
    std::string all;
    for (const json& candidate : items_of(payload, "candidates"))
        add_to_list(invocation, all, person(candidate));
    return all;
}

/// The plan in an event, under either of its names.
const json& plan_of(const json& payload) {
    const json& final = at(payload, "final_proposal");
    return final.is_object() ? final : at(payload, "proposal");
}

std::string first_of(const json& payload, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const std::string text = text_of(payload, name);
        if (!text.empty()) return text;
    }
    return {};
}

std::string choice(const Invocation& invocation, const json& payload) {
    const std::string decision = text_of(payload, "decision");
    if (!decision.empty()) return name_of(invocation, "decision", decision);
    const bool presumed = at(payload, "presumed") == true;
    return name_of(invocation, presumed ? "presumed" : "feedback",
                   text_of(payload, "feedback_type"));
}

std::string whole_line(const Invocation& invocation, const json& data, const json& event) {
    std::string type = text_of(event, "event_type");
    if (type.starts_with(kEventTypes)) type.erase(0, kEventTypes.size());
    std::replace(type.begin(), type.end(), '.', '_');
    const std::string key = "negotiate.story_" + type;
    if (!i18n::has_key(invocation.language, key)) return {};
    const json& payload = at(event, "payload");
    const std::string id = text_of(payload, "agent_id");
    const std::string tags = joined(invocation, payload, "capability_tags");
    const std::string named = id.empty() ? std::string() : person_by_id(data, id);
    return invocation.text(
        key, {{"who", named.empty() || named == id ? person(payload) : named},
              {"choice", choice(invocation, payload)},
              {"text", first_of(payload, {"contribution", "adjustment_request", "reasoning"})},
              {"demand", text_of(payload, "surface_demand")},
              {"tags", tags.empty() ? invocation.text("negotiate.wanted_any") : tags},
              {"names", candidate_names(invocation, payload)},
              {"count", first_of(payload, {"candidates_count", "recipients_count", "offers_count",
                                           "participants_count"})},
              {"round", first_of(payload, {"round", "rounds_taken"})},
              {"of", text_of(payload, "max_rounds")},
              {"summary", text_of(plan_of(payload), "summary")},
              {"accepts", text_of(payload, "accepts")},
              {"rejects", text_of(payload, "rejects")},
              {"negotiates", text_of(payload, "negotiates")},
              {"reason", name_of(invocation, "reason", text_of(payload, "reason"))},
              {"gaps", gap_names(invocation, payload)},
              {"gap", text_of(payload, "gap_type")},
              {"below", text_of(payload, "sub_demand_id")}});
}

}  // namespace

std::string story_line(const Invocation& invocation, const json& data, const json& event) {
    std::string line = whole_line(invocation, data, event);
    // Nothing follows the colon.
    const std::string colon = invocation.text("negotiate.colon");
    if (line.ends_with(colon)) line.resize(line.size() - colon.size());
    return line;
}

}  // namespace a2h::cli
