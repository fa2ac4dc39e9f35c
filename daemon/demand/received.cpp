#include "daemon/demand/received.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/card.h"

namespace a2h::demand {
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

/// Lines of what was received; known members that are empty say nothing.
class Lines {
  public:
    explicit Lines(i18n::Language language)
        : language_(language), empty_(i18n::text(language, "card.empty")) {}

    void add(const json& object, std::string_view under_key = {}) {
        const std::string under =
            under_key.empty() ? std::string() : i18n::text(language_, under_key);
        for (consent::Line& line : consent::lines_of(object, language_, under)) {
            if (!line.is_known || line.value != empty_) lines_.push_back(std::move(line));
        }
    }
    std::string take() const { return consent::in_text(lines_, language_); }

  private:
    const i18n::Language language_;
    const std::string empty_;
    std::vector<consent::Line> lines_;
};

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
    Lines lines(language);
    lines.add(parsed(invitation.demand_json));
    lines.add(json{{"filter_reason", invitation.filter_reason}});
    lines.add(parsed(invitation.besides_json), "demand.label.besides");
    return lines.take();
}

std::string plan_in_words(const Invitation& invitation, i18n::Language language) {
    Lines lines(language);
    for (const json& part : own_parts(invitation))
        lines.add(part, "demand.label.your_part");
    json rest = parsed(invitation.proposal_json);
    if (wire::member(rest, kParts).is_array()) {
        json& parts = rest[kParts];
        std::erase_if(parts.get_ref<json::array_t&>(),
                      [&](const json& part) { return is_part_of(part, invitation.agent_id); });
    }
    lines.add(rest, "demand.label.plan");
    lines.add(parsed(invitation.besides_json), "demand.label.besides");
    return lines.take();
}

}  // namespace a2h::demand
