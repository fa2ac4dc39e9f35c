#include "daemon/demand/join_rules.h"

#include <algorithm>
#include <utility>

#include "core/base/money.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"

namespace a2h::demand {
namespace {

std::string folded(std::string_view text) {
    return i18n::fold(trim(text));
}

bool shares_a_tag(const std::vector<std::string>& ours, const std::vector<std::string>& wanted) {
    return std::any_of(ours.begin(), ours.end(), [&](const std::string& tag) {
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const std::string& other) { return folded(other) == folded(tag); });
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

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (std::string line = folded(text.substr(0, end)); !line.empty()) {
            lines.push_back(std::move(line));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool holds(const std::vector<std::string>& lines, const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

/// Notes bind as much as anything: ours must stand there, and no others. The one about the price,
/// which is the last, is the price's own business.
bool keeps_conditions(const PlanPart& part, const Offer& offered) {
    std::vector<std::string> conditions;
    for (const std::string& condition : offered.conditions)
        conditions.push_back(folded(condition));
    const std::vector<std::string> notes = lines_of(part.notes);
    const std::size_t needed = conditions.size() - (offered.price && !conditions.empty() ? 1 : 0);
    return std::all_of(notes.begin(), notes.end(),
                       [&](const auto& note) { return holds(conditions, note); }) &&
           std::all_of(conditions.begin(), conditions.begin() + static_cast<std::ptrdiff_t>(needed),
                       [&](const auto& condition) { return holds(notes, condition); });
}

/// A day that nobody named when we offered may be one on which we cannot.
bool has_only_known_dates(const Proposal& proposal, const wire::Understanding& demand) {
    const auto is_known = [&](const std::string& date) {
        return date.empty() || folded(date) == folded(demand.date);
    };
    return is_known(proposal.start_date) &&
           std::all_of(proposal.milestones.begin(), proposal.milestones.end(),
                       [&](const Milestone& each) { return is_known(each.date); });
}

bool is_same_work(const Proposal& proposal, const PlanPart& part, const Offer& offered,
                  const wire::Understanding& demand) {
    return !offered.contribution.empty() &&
           folded(part.responsibility) == folded(offered.contribution) &&
           part.dependencies.empty() && keeps_conditions(part, offered) &&
           has_only_known_dates(proposal, demand);
}

PartCheck compare_prices(const std::optional<Price>& proposed,
                         const std::optional<Price>& offered) {
    if (!offered) return PartCheck::AsOffered;
    // Work for nothing is not the same work for less.
    if (!proposed || proposed->amount_minor == 0) return PartCheck::Different;
    if (proposed->currency != offered->currency) return PartCheck::Different;
    return proposed->amount_minor >= offered->amount_minor ? PartCheck::AsOffered
                                                           : PartCheck::Cheaper;
}

}  // namespace

Offer new_offer(std::string contribution, std::vector<std::string> conditions,
                std::optional<Price> price, i18n::Language language) {
    Offer offer;
    offer.contribution = std::move(contribution);
    offer.conditions = std::move(conditions);
    if (price) offer.conditions.push_back(price_condition(*price, language));
    offer.price = std::move(price);
    offer.decision =
        offer.conditions.empty() ? OfferDecision::Participate : OfferDecision::Conditional;
    offer.confidence = 100;  // it leaves with a yes or not at all
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
    if (!options.tags.empty() && !shares_a_tag(options.tags, demand.capability_tags)) {
        return {kOtherTagsRule, new_decline(i18n::text(language, "demand.declined_other_tags"))};
    }
    return {{}, owners_offer(options, language)};
}

Offer owners_offer(const Options& options, i18n::Language language) {
    return worded_offer(options, options.contribution, {}, language);
}

Offer worded_offer(const Options& options, std::string contribution,
                   std::vector<std::string> conditions, i18n::Language language) {
    return new_offer(std::move(contribution), std::move(conditions), price_of(options), language);
}

bool is_owners_offer(const Options& options, const Offer& offer, i18n::Language language) {
    const Offer own = owners_offer(options, language);
    return !options.contribution.empty() && offer.contribution == own.contribution &&
           offer.conditions == own.conditions && offer.price == own.price &&
           offer.reasoning.empty();
}

PartView check_part(const Proposal& proposal, std::string_view agent_id, const Offer& offered,
                    const wire::Understanding& demand) {
    const auto is_ours = [&](const PlanPart& part) { return part.agent_id == agent_id; };
    const auto part = std::find_if(proposal.parts.begin(), proposal.parts.end(), is_ours);
    if (part == proposal.parts.end()) return {};
    // Several parts are more than what was offered.
    const bool is_only_one = std::count_if(part, proposal.parts.end(), is_ours) == 1;
    if (!is_only_one || !is_same_work(proposal, *part, offered, demand)) {
        return {PartCheck::Different, *part};
    }
    return {compare_prices(part->price, offered.price), *part};
}

bool is_no_dearer(const std::optional<Price>& part, const std::optional<Price>& offered) {
    const std::int64_t wanted = part ? part->amount_minor : 0;
    return wanted <= (offered ? offered->amount_minor : 0);
}

wire::ProposalFeedback new_objection(std::string_view channel_id, int round, const Offer& offered,
                                     std::string words) {
    wire::ProposalFeedback feedback;
    feedback.channel_id = channel_id;
    feedback.round = round;
    feedback.type = FeedbackType::Negotiate;
    feedback.adjustment_request = std::move(words);
    feedback.wanted_price = offered.price;
    return feedback;
}

}  // namespace a2h::demand
