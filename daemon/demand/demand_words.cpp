#include "daemon/demand/demand_words.h"

#include <vector>

#include "core/base/money.h"
#include "core/base/text.h"

namespace a2h::demand {
namespace {

class Lines {
  public:
    explicit Lines(i18n::Language language) : language_(language) {}

    /// Nothing for an empty value. Lines of a value that go on are indented.
    void add(std::string_view label, std::string_view value, std::size_t depth = 0) {
        if (value.empty()) return;
        start(depth, label);
        text_ += i18n::text(language_, "demand.label.colon");
        for (const char c : printable(value)) {
            text_ += c;
            if (c == '\n') text_.append(2 * depth + 4, ' ');
        }
    }
    void add(std::string_view label, const std::vector<std::string>& values,
             std::size_t depth = 0) {
        std::string all;
        for (const std::string& value : values)
            all += (all.empty() ? "" : i18n::text(language_, "demand.label.and")) + value;
        add(label, all, depth);
    }
    void head(std::string_view label, std::size_t depth = 0) {
        start(depth, label);
        text_ += i18n::text(language_, "demand.label.colon");
    }
    std::string take() { return std::move(text_); }

  private:
    void start(std::size_t depth, std::string_view label) {
        if (!text_.empty()) text_ += '\n';
        text_.append(2 * depth, ' ');
        text_ += i18n::text(language_, "demand.label." + std::string(label));
    }

    const i18n::Language language_;
    std::string text_;
};

void add_part(Lines& lines, const PlanPart& part, i18n::Language language) {
    lines.add("who", part.display_name.empty() ? part.agent_id : part.display_name, 1);
    lines.add("role", part.role, 1);
    lines.add("responsibility", part.responsibility, 1);
    lines.add("dependencies", part.dependencies, 1);
    lines.add("notes", part.notes, 1);
    if (part.price) lines.add("price", price_in_words(part.price, language), 1);
}

}  // namespace

std::string price_in_words(const std::optional<Price>& price, i18n::Language language) {
    return price ? to_text(Money{price->amount_minor, price->currency})
                 : i18n::text(language, "demand.no_price");
}

std::string demand_in_words(const wire::Understanding& demand, std::string_view filter_reason,
                            i18n::Language language) {
    Lines lines(language);
    lines.add("demand", demand.surface_demand);
    lines.add("motivation", demand.motivation);
    lines.add("preferences", demand.likely_preferences);
    lines.add("tags", demand.capability_tags);
    lines.add("location", demand.location);
    if (demand.expected_attendees) {
        lines.add("attendees", std::to_string(*demand.expected_attendees));
    }
    lines.add("date", demand.date);
    lines.add("budget", demand.budget);
    lines.add("uncertainties", demand.uncertainties);
    lines.add("reason", filter_reason);
    return lines.take();
}

std::string offer_in_words(const Offer& offer, i18n::Language language) {
    Lines lines(language);
    lines.add("decision",
              i18n::text(language, "demand.decision." + std::string(to_string(offer.decision))));
    lines.add("contribution", offer.contribution);
    lines.add("conditions", offer.conditions);
    if (offer.decision != OfferDecision::Decline) {
        lines.add("price", price_in_words(offer.price, language));
    }
    lines.add("why", offer.reasoning);
    lines.add("why", offer.decline_reason);
    return lines.take();
}

std::string plan_in_words(const Proposal& proposal, std::string_view agent_id,
                          i18n::Language language) {
    Lines lines(language);
    for (const PlanPart& part : proposal.parts) {
        if (part.agent_id != agent_id) continue;
        lines.head("your_part");
        add_part(lines, part, language);
    }
    lines.add("summary", proposal.summary);
    lines.add("objective", proposal.objective);
    lines.add("start_date", proposal.start_date);
    for (const Milestone& each : proposal.milestones) {
        lines.add("milestone", each.date.empty() ? each.name : each.date + " " + each.name);
        lines.add("deliverable", each.deliverable, 1);
    }
    for (const PlanPart& part : proposal.parts) {
        if (part.agent_id == agent_id) continue;
        lines.head("others_part");
        add_part(lines, part, language);
    }
    lines.add("gaps", proposal.gaps);
    lines.add("rationale", proposal.rationale);
    return lines.take();
}

std::string feedback_in_words(const wire::ProposalFeedback& feedback,
                              const std::optional<PlanPart>& part, i18n::Language language) {
    Lines lines(language);
    lines.add("feedback",
              i18n::text(language, "demand.feedback." + std::string(to_string(feedback.type))));
    lines.add("round", std::to_string(feedback.round));
    if (part && feedback.type == FeedbackType::Accept) {
        lines.head("your_part");
        add_part(lines, *part, language);
    }
    lines.add("change", feedback.adjustment_request);
    if (feedback.wanted_price) {
        lines.add("wanted_price", price_in_words(feedback.wanted_price, language));
    }
    lines.add("why", feedback.reasoning);
    return lines.take();
}

std::string advice_in_words(OfferDecision decision, std::string_view reasoning,
                            i18n::Language language, std::string_view own_contribution) {
    Lines lines(language);
    lines.add("advice",
              i18n::text(language, "demand.decision." + std::string(to_string(decision))));
    lines.add("why", reasoning, 1);
    lines.add("own_words", own_contribution, 1);
    return lines.take();
}

std::string advice_in_words(const wire::ProposalFeedback& advised, i18n::Language language) {
    Lines lines(language);
    lines.add("advice",
              i18n::text(language, "demand.feedback." + std::string(to_string(advised.type))));
    lines.add("change", advised.adjustment_request, 1);
    if (advised.wanted_price) {
        lines.add("wanted_price", price_in_words(advised.wanted_price, language), 1);
    }
    lines.add("why", advised.reasoning, 1);
    return lines.take();
}

}  // namespace a2h::demand
