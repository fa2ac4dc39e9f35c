#include "daemon/collab/join_rules.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/wire/json_member.h"
#include "daemon/collab/plan_rules.h"
#include "daemon/collab/received.h"
#include "daemon/collab/words.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

/// 1 January 2020; no plan is older.
constexpr std::uint64_t k2020Ms = 1'577'836'800'000;

std::string folded(std::string_view text) {
    return i18n::fold(trim(text));
}

/// Whether `demand` names one of our tags, as a tag or in its words.
bool wants_one_of(const std::vector<std::string>& ours, const wire::Understanding& demand) {
    const SearchedText words(folded(demand.surface_demand));
    return std::any_of(ours.begin(), ours.end(), [&](const std::string& own) {
        const std::string tag = folded(own);
        const auto& wanted = demand.capability_tags;
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const std::string& other) { return folded(other) == tag; }) ||
               !words.evidence_of(words_of_tag(tag)).empty();
    });
}

std::optional<Price> price_of(const Options& options) {
    if (options.price_minor == 0) return std::nullopt;
    return Price{options.price_minor, options.currency};
}

std::string price_condition(const Price& price, i18n::Language language) {
    return i18n::text(language, "demand.price_condition",
                      {{"price", to_text(Money{price.amount_minor, price.currency})}});
}

bool says_nothing(const json& value) {
    return value.is_string() ? value.get_ref<const std::string&>().empty() : value.empty();
}

std::string_view text_of(const json& value) {
    return value.is_string() ? std::string_view(value.get_ref<const std::string&>())
                             : std::string_view();
}

bool is_text(const json& value, std::string_view text) {
    return value.is_string() && text_of(value) == text;
}

/// A permitted member and its permitted values.
struct Allowed {
    std::string_view name;
    std::function<bool(const json&)> holds;
};

/// Whether the object has no other members.
bool has_only(const json& object, const std::vector<Allowed>& allowed) {
    if (!object.is_object()) return false;
    for (const auto& [name, value] : object.items()) {
        const auto rule = std::find_if(allowed.begin(), allowed.end(),
                                       [&](const Allowed& each) { return each.name == name; });
        if (rule == allowed.end() || !rule->holds(value)) return false;
    }
    return true;
}

/// Whether every member of `said`, at any depth, is in `read` with the same value, or is empty.
bool says_no_more(const json& said, const json& read) {
    if (!said.is_object() || !read.is_object()) return said == read || says_nothing(said);
    return std::all_of(said.items().begin(), said.items().end(), [&](const auto& member) {
        return says_no_more(member.value(), wire::member(read, member.key()));
    });
}

/// Notes bind as much as any other member, so they must contain our conditions and nothing else.
/// The last condition is about the price, which is checked separately.
bool keeps_conditions(const json& notes, const Offer& offered) {
    std::string all;
    std::string before_last;
    for (const std::string& condition : offered.conditions) {
        before_last = all;
        all += (all.empty() ? "" : "\n") + condition;
    }
    const auto is_said = [&](const std::string& conditions) {
        return conditions.empty() ? says_nothing(notes) : is_text(notes, conditions);
    };
    return is_said(all) || (offered.price && is_said(before_last));
}

bool is_price(const json& price, const std::optional<Price>& offered) {
    return offered ? price == wire::to_json(offered) : price.is_null();
}

bool is_part_as_offered(const json& part, const Invitation& invitation, const Offer& offered) {
    const std::string& contribution = offered.contribution;
    const auto keeps = [&](const json& notes) { return keeps_conditions(notes, offered); };
    const auto costs = [&](const json& price) { return is_price(price, offered.price); };
    const auto is_us = [&](const json& id) { return is_text(id, invitation.agent_id); };
    const auto names_us = [&](const json& name) { return says_nothing(name) || is_us(name); };
    const auto is_role = [&](const json& role) {
        return says_nothing(role) || is_text(role, contribution);
    };
    const auto is_work = [&](const json& work) { return is_text(work, contribution); };
    return !contribution.empty() && is_work(wire::member(part, "responsibility")) &&
           keeps(wire::member(part, "notes")) && costs(wire::member(part, "price")) &&
           has_only(part, {{"agent_id", is_us},
                           {"display_name", names_us},
                           {"role", is_role},
                           {"responsibility", is_work},
                           {"dependencies", says_nothing},
                           {"notes", keeps},
                           {"price", costs}});
}

/// The day must be written in digits and be the one that the demand named. We may not be available
/// on another day, and a day in words could say anything.
bool is_known_day(const json& day, const wire::Understanding& demand) {
    return says_nothing(day) ||
           (is_text(day, demand.date) &&
            demand.date.find_first_not_of("0123456789-./: ") == std::string::npos);
}

bool is_level(const json& confidence) {
    return says_nothing(confidence) || is_text(confidence, "high") ||
           is_text(confidence, "medium") || is_text(confidence, "low");
}

/// Whether the plan contains no words other than those that we have offered.
bool is_plan_as_offered(const json& plan, const Invitation& invitation, const Offer& offered) {
    const auto is_round = [](const json& value) {
        return value.is_number_unsigned() && value.get<std::uint64_t>() <= kNegotiationRoundsMax;
    };
    const auto is_time = [](const json& value) {
        return value == 0 || (value.is_number_unsigned() && value.get<std::uint64_t>() > k2020Ms);
    };
    const auto is_demand = [&](const json& id) {
        return says_nothing(id) || is_text(id, invitation.demand_id);
    };
    const auto is_id = [&](const json& id) {
        return says_nothing(id) || is_wordless_id(text_of(id)) ||
               is_text(id, "prop_" + invitation.negotiation_id + "_" +
                               std::to_string(invitation.round));
    };
    const auto is_ours = [&](const json& parts) {
        return parts.is_array() && parts.size() == 1 &&
               is_part_as_offered(parts[0], invitation, offered);
    };
    const auto is_timeline = [&](const json& timeline) {
        const wire::Understanding demand = wire::parse_understanding(invitation.demand_json);
        const auto is_day = [&](const json& day) { return is_known_day(day, demand); };
        return has_only(timeline, {{"start_date", is_day}, {"milestones", says_nothing}});
    };
    const auto is_unchanged = [&](const json& changes) {
        return says_nothing(changes) || has_only(changes, {{"round", is_round},
                                                           {"changes_made", says_nothing},
                                                           {"requests_addressed", says_nothing},
                                                           {"requests_declined", says_nothing}});
    };
    return has_only(plan, {{"proposal_id", is_id},
                           {"demand_id", is_demand},
                           {"version", is_round},
                           {"created_at_ms", is_time},
                           {"summary", says_nothing},
                           {"objective", says_nothing},
                           {"assignments", is_ours},
                           {"timeline", is_timeline},
                           {"rationale", says_nothing},
                           {"gaps", says_nothing},
                           {"confidence", is_level},
                           {"binds_requester", [](const json& binds) { return binds == false; }},
                           {"notice", is_notice},
                           {"adjustment_summary", is_unchanged}});
}

}  // namespace

bool is_notice(const json& notice) {
    return says_nothing(notice) ||
           is_text(notice, i18n::text(i18n::Language::English, kNoticeKey)) ||
           is_text(notice, i18n::text(i18n::Language::Chinese, kNoticeKey));
}

Offer new_offer(std::string contribution, std::vector<std::string> conditions,
                std::optional<Price> price, i18n::Language language) {
    Offer offer;
    offer.contribution = std::move(contribution);
    offer.conditions = std::move(conditions);
    if (price) offer.conditions.push_back(price_condition(*price, language));
    offer.price = std::move(price);
    offer.decision =
        offer.conditions.empty() ? OfferDecision::Participate : OfferDecision::Conditional;
    offer.confidence = 100;  // it is sent after a yes or not at all
    return offer;
}

Offer new_decline(std::string reason) {
    Offer offer;
    offer.decision = OfferDecision::Decline;
    offer.decline_reason = std::move(reason);
    offer.confidence = 100;
    return offer;
}

JoinDecision decide_invitation(const Options& options, const wire::Understanding& demand,
                               i18n::Language language) {
    if (options.invitations == Invitations::Decline) {
        return {kClosedRule, new_decline(i18n::text(language, "demand.declined_closed"))};
    }
    if (!options.tags.empty() && !wants_one_of(options.tags, demand)) {
        return {kOtherTagsRule, new_decline(i18n::text(language, "demand.declined_other_tags"))};
    }
    return {{}, owners_offer(options, language)};
}

Offer owners_offer(const Options& options, i18n::Language language) {
    Offer offer = worded_offer(options, options.contribution, {}, language);
    offer.reasoning = words_of_owners_offer(language);
    return offer;
}

std::string words_of_owners_offer(i18n::Language language) {
    return i18n::text(language, "demand.offer_is_whole");
}

Offer worded_offer(const Options& options, std::string contribution,
                   std::vector<std::string> conditions, i18n::Language language) {
    return new_offer(std::move(contribution), std::move(conditions), price_of(options), language);
}

bool is_owners_offer(const Options& options, const Offer& offer, i18n::Language language) {
    const Offer own = owners_offer(options, language);
    return !options.contribution.empty() && offer.contribution == own.contribution &&
           offer.conditions == own.conditions && offer.price == own.price &&
           offer.reasoning == own.reasoning;
}

bool is_plain_demand(const Invitation& invitation) {
    const json demand = json::parse(invitation.demand_json, nullptr, false);
    const json read = wire::to_json(wire::read_understanding(demand));
    return invitation.besides_json.empty() && demand.is_object() && says_no_more(demand, read);
}

PartCheck check_plan(const Invitation& invitation) {
    if (own_parts(invitation).empty()) return PartCheck::NoPart;
    const Offer offered = wire::parse_offer(invitation.offer_json).value_or(Offer{});
    const json plan = json::parse(invitation.proposal_json, nullptr, false);
    // Text that was shortened when it was read is not the whole offer.
    const bool is_whole =
        json::parse(invitation.offer_json, nullptr, false) == wire::to_json(offered);
    const bool is_as_offered = is_whole && invitation.besides_json.empty() &&
                               is_plan_as_offered(plan, invitation, offered);
    return is_as_offered ? PartCheck::AsOffered : PartCheck::Different;
}

wire::ProposalFeedback new_objection(std::string_view negotiation_id, int round,
                                     const Offer& offered, std::string words) {
    wire::ProposalFeedback feedback;
    feedback.negotiation_id = negotiation_id;
    feedback.round = round;
    feedback.type = FeedbackType::Negotiate;
    feedback.adjustment_request = std::move(words);
    feedback.wanted_price = offered.price;
    return feedback;
}

}  // namespace a2h::collab
