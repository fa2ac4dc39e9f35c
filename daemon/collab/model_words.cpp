#include "daemon/collab/model_words.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/reading/reading.h"

namespace a2h::collab {

using nlohmann::json;

void Amounts::add(std::string_view text) {
    for (auto& amount : in(text))
        known_.insert(std::move(amount));
}

void Amounts::add(const std::optional<Price>& price) {
    if (price) add(to_text(Money{price->amount_minor, price->currency}));
}

void Amounts::add(const Offer& offer) {
    add(offer.contribution);
    for (const std::string& condition : offer.conditions)
        add(condition);
    add(offer.price);
}

void Amounts::add(const Feedback& feedback) {
    add(feedback.reasoning);
    add(feedback.adjustment_request);
    add(feedback.wanted_price);
}

bool Amounts::know_all_of(std::string_view text) const {
    const auto named = in(text);
    return std::all_of(named.begin(), named.end(),
                       [&](const auto& amount) { return known_.contains(amount); });
}

std::set<Amounts::Amount> Amounts::in(std::string_view text) {
    std::set<Amount> found;
    const auto reading = reading::read_text(text, reading::built_in_vocabulary());
    for (const reading::NumberMention& number : reading.numbers) {
        if (number.kind != reading::NumberKind::Money) continue;
        if (number.money) {
            found.insert({number.money->currency, std::to_string(number.money->minor)});
        } else {
            found.insert({number.currency, number.digits + " or so"});
        }
    }
    return found;
}

Amounts amounts_of_demand(const Run& run) {
    Amounts amounts;
    amounts.add(run.negotiation.raw_input);
    amounts.add(run.demand.surface_demand);
    amounts.add(run.demand.budget);
    return amounts;
}

Amounts amounts_of_all(const Run& run) {
    Amounts amounts = amounts_of_demand(run);
    for (const Party& party : run.parties)
        if (party.offer) amounts.add(*party.offer);
    for (const Feedback& feedback : run.feedback)
        amounts.add(feedback);
    for (const PlanPart& part : run.proposal.parts)
        amounts.add(part.price);
    return amounts;
}

std::string words_or(const std::string& said, const Amounts& known, const std::string& otherwise) {
    return trim(said).empty() || !known.know_all_of(said) ? otherwise : said;
}

void keep_known(std::vector<std::string>& texts, const Amounts& known) {
    std::erase_if(texts, [&](const std::string& text) {
        return trim(text).empty() || !known.know_all_of(text);
    });
}

std::vector<std::string> texts_in(const json& list) {
    std::vector<std::string> texts;
    for (const json& each : list)
        if (each.is_string()) texts.push_back(each.get<std::string>());
    return texts;
}

void add_once(std::vector<std::string>& to, const std::vector<std::string>& more,
              std::size_t length_max) {
    for (const std::string& each : more) {
        if (to.size() >= length_max) return;
        if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    }
}

bool stands_in(std::string_view text, const std::string& words) {
    return !trim(words).empty() && i18n::fold(text).find(i18n::fold(words)) != std::string::npos;
}

std::vector<std::string> distinct_tags(const std::vector<std::string>& tags) {
    std::vector<std::string> distinct;
    std::set<std::string> known;
    for (const std::string& tag : tags) {
        const std::string folded = i18n::fold(trim(tag));
        if (!folded.empty() && known.insert(folded).second) distinct.emplace_back(trim(tag));
    }
    return distinct;
}

}  // namespace a2h::collab
