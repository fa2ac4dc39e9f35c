#include "daemon/collab/demand_words.h"

#include <vector>

#include "core/base/money.h"
#include "core/base/text.h"

namespace a2h::collab {
namespace {

class Lines {
  public:
    explicit Lines(i18n::Language language) : language_(language) {}

    /// Adds nothing for an empty value. Continuation lines of a value are indented.
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

}  // namespace

std::string price_in_words(const std::optional<Price>& price, i18n::Language language) {
    return price ? to_text(Money{price->amount_minor, price->currency})
                 : i18n::text(language, "demand.no_price");
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

std::string feedback_in_words(const wire::ProposalFeedback& feedback, i18n::Language language) {
    Lines lines(language);
    lines.add("feedback",
              i18n::text(language, "demand.feedback." + std::string(to_string(feedback.type))));
    lines.add("round", std::to_string(feedback.round));
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

}  // namespace a2h::collab
