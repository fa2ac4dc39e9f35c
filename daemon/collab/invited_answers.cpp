#include "daemon/collab/invited_answers.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/i18n/messages.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/collab/model_words.h"
#include "daemon/collab/plan_rules.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr std::size_t kListingsShownMax = 20;
constexpr std::size_t kOwnConditionsMax = 10;

Amounts amounts_of_own(const Profile& own) {
    Amounts amounts;
    amounts.add(own.profile_summary);
    amounts.add(own.capabilities_json);
    for (const std::string& tag : own.tags)
        amounts.add(tag);
    return amounts;
}

/// The reason, followed by one line such as "role: host" for each field to change.
std::string request_in(const json& changes, i18n::Language language) {
    std::string words(trim(text_member(changes, "reason")));
    for (const char* field : {"role", "responsibility", "notes", "start_date"}) {
        const std::string value(trim(text_member(changes, field)));
        if (value.empty()) continue;
        if (!words.empty()) words += '\n';
        words += i18n::text(language, "demand.label." + std::string(field)) +
                 i18n::text(language, "demand.label.colon") + value;
    }
    return words;
}

}  // namespace

Profile own_profile(std::optional<Profile> published, std::string_view agent_id,
                    const Options& table, const std::vector<Listing>& listings) {
    Profile own = published ? std::move(*published) : Profile();
    own.agent_id = agent_id;
    if (!table.display_name.empty()) own.user_name = table.display_name;
    if (!table.contribution.empty()) {
        if (!own.profile_summary.empty()) own.profile_summary += '\n';
        own.profile_summary += table.contribution;
    }
    own.tags.insert(own.tags.end(), table.tags.begin(), table.tags.end());
    own.tags = distinct_tags(own.tags);
    json capabilities = json::parse(own.capabilities_json, nullptr, false);
    if (!capabilities.is_object()) capabilities = json::object();
    json titles = json::array();
    for (const Listing& listing : listings)
        if (titles.size() < kListingsShownMax) titles.push_back(listing.title);
    if (!titles.empty()) capabilities["listings"] = std::move(titles);
    own.capabilities_json = capabilities.dump();
    return own;
}

std::optional<OfferAdvice> offer_advice(const json& answer, const Profile& own) {
    const Amounts known = amounts_of_own(own);
    OfferAdvice advice;
    advice.decision =
        parse_offer_decision(text_member(answer, "decision")).value_or(OfferDecision::Decline);
    advice.reasoning = words_or(text_member(answer, "reasoning"), known, "");
    if (advice.decision == OfferDecision::Decline) return advice;
    advice.contribution = words_or(text_member(answer, "contribution"), known, "");
    const std::vector<std::string> said = texts_in(member(answer, "conditions"));
    if (said.size() > kOwnConditionsMax) return std::nullopt;
    advice.conditions = said;
    keep_known(advice.conditions, known);
    // Leaving out a condition would make it another offer.
    const bool is_whole = !advice.contribution.empty() && advice.conditions.size() == said.size();
    const bool is_conditional = advice.decision == OfferDecision::Conditional;
    if (!is_whole || is_conditional == advice.conditions.empty()) return std::nullopt;
    return advice;
}

std::optional<FeedbackAdvice> feedback_advice(const json& answer, const Profile& own,
                                              const Invitation& invitation) {
    Amounts known = amounts_of_own(own);
    if (const auto offered = wire::parse_offer(invitation.offer_json)) known.add(*offered);
    const auto demand = wire::parse_understanding(invitation.demand_json);
    FeedbackAdvice advice;
    advice.type =
        parse_feedback_type(text_member(answer, "feedback_type")).value_or(FeedbackType::Negotiate);
    advice.reasoning = words_or(text_member(answer, "reasoning"), known, "");
    if (advice.type != FeedbackType::Negotiate) return advice;
    advice.request = words_or(
        request_in(member(answer, "proposed_changes"), language_of_text(demand.surface_demand)),
        known, "");
    if (advice.request.empty()) return std::nullopt;
    return advice;
}

}  // namespace a2h::collab
