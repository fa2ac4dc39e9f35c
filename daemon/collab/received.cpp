#include "daemon/collab/received.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/card/card.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr const char* kParts = "assignments";

json parsed(const std::string& text) {
    return json::parse(text, nullptr, false);
}

bool is_part_of(const json& part, std::string_view agent_id) {
    const json& id = wire::either_member(part, "agent_id");
    return id.is_string() && id.get_ref<const std::string&>() == agent_id;
}

std::string besides_in_words(const Invitation& invitation, i18n::Language language) {
    return card::received_in_words(parsed(invitation.besides_json), language,
                                   i18n::text(language, "demand.label.besides"));
}

}  // namespace

std::string said_besides(const json& message, const json& read, std::string_view body) {
    json besides = json::object();
    for (const auto& [name, value] : message.items()) {
        const bool is_read =
            name == body ? value.is_object() : read.contains(name) && read.at(name) == value;
        if (!is_read) besides[name] = value;
    }
    return besides.empty() ? std::string() : wire::canonical_json(besides);
}

std::vector<json> parts_of(const json& plan, std::string_view agent_id) {
    std::vector<json> found;
    for (const json& part : wire::member(plan, kParts)) {
        if (is_part_of(part, agent_id)) found.push_back(part);
    }
    return found;
}

std::vector<json> own_parts(const Invitation& invitation) {
    return parts_of(parsed(invitation.proposal_json), invitation.agent_id);
}

std::string invitation_in_words(const Invitation& invitation, i18n::Language language) {
    const json why{{"filter_reason", invitation.filter_reason}};
    return card::received_in_words(parsed(invitation.demand_json), language) +
           card::received_in_words(why, language) + besides_in_words(invitation, language);
}

std::string plan_in_words(const Invitation& invitation, i18n::Language language) {
    std::string words;
    for (const json& part : own_parts(invitation)) {
        words +=
            card::received_in_words(part, language, i18n::text(language, "demand.label.your_part"));
    }
    json rest = parsed(invitation.proposal_json);
    if (wire::member(rest, kParts).is_array()) {
        std::erase_if(rest[kParts].get_ref<json::array_t&>(),
                      [&](const json& part) { return is_part_of(part, invitation.agent_id); });
    }
    const std::string plan = i18n::text(language, "demand.label.plan");
    return words + card::received_in_words(rest, language, plan) +
           besides_in_words(invitation, language);
}

}  // namespace a2h::collab
