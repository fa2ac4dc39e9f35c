#include "daemon/reading/meant_amount.h"

#include <algorithm>

namespace a2h::reading {
namespace {

/// "250 btc": the word after a bare number may be an unknown currency.
bool is_followed_by_unknown_word(const Reading& reading, std::size_t end,
                                 const Vocabulary& vocabulary) {
    const std::string_view text = reading.text;
    const std::size_t after = end < text.size() && text[end] == ' ' ? end + 1 : end;
    if (after >= text.size() || text[after] < 'a' || text[after] > 'z') return false;
    return (vocabulary.lexicon.longest_at(text, after).lists & ~vocabulary.known[Role::Payment]) ==
           0;
}

/// "250?": a number, and the question whether it is acceptable.
bool asks_for_a_number(const Reading& reading, const Vocabulary& vocabulary) {
    const auto& clauses = reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(),
                       [](const Clause& clause) { return clause.is_question; }) &&
           (reading.lists & ~(vocabulary.known[Role::Filler] | vocabulary.known[Role::Asks])) ==
               0 &&
           std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
               return unknown_words(reading, clause).empty();
           });
}

/// "Around 250". A limit beside a number of pages does not affect the price: "280, up to 20 pages".
bool is_approximate(const Reading& reading, const Vocabulary& vocabulary) {
    if ((reading.lists & vocabulary.known[Role::Approximate]) == 0) return false;
    const auto distance = [](const NumberMention& number, const WordMatch& word) {
        return number.begin >= word.end ? number.begin - word.end
                                        : word.begin - std::min(word.begin, number.end);
    };
    return std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
        if ((word.lists & vocabulary.known[Role::Approximate]) == 0) return false;
        const auto nearest = std::min_element(
            reading.numbers.begin(), reading.numbers.end(),
            [&](const auto& a, const auto& b) { return distance(a, word) < distance(b, word); });
        return nearest == reading.numbers.end() || nearest->kind != NumberKind::Quantity ||
               nearest->unit == 0;
    });
}

/// Whether the words make a number an offer: "Ok, 280" acknowledges it, "280 is ok" offers it.
bool bargains(const Reading& reading, const RoleLists& known) {
    const ListSet bargaining =
        known[Role::Offer] | known[Role::Haggle] | known[Role::Deal] | known[Role::Paid];
    if ((reading.lists & bargaining) == 0) return false;
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        if ((clause.lists & bargaining) == 0) return false;
        const bool only_agrees =
            (clause.lists & bargaining) == known[Role::Offer] &&
            (clause.lists & known[Role::Assent]) != 0 &&
            is_covered_by(reading, clause,
                          known[Role::Assent] | known[Role::Filler] | known[Role::Acknowledgement]);
        return !only_agrees;
    });
}

/// `number`, which has no currency, as an amount in `currency`.
std::optional<Money> money_in(const NumberMention& number, std::string_view currency) {
    if (!is_currency_code(currency)) return std::nullopt;
    auto money = parse_money(number.digits, currency);
    return money ? std::optional(*money) : std::nullopt;
}

/// The distinct amounts of `reading`; nullopt for each that is not exact. A number without a
/// currency word or sign is not money, whatever the currency of the listing. It becomes an amount
/// in `bare_currency` only for callers that compare and do not agree to anything.
std::vector<std::optional<Money>> amounts_of(const Reading& reading, const Vocabulary& vocabulary,
                                             std::string_view bare_currency) {
    const RoleLists& known = vocabulary.known;
    const bool bare_is_amount = bargains(reading, known) || is_approximate(reading, vocabulary) ||
                                asks_for_a_number(reading, vocabulary);
    std::vector<std::optional<Money>> amounts;
    for (const NumberMention& number : reading.numbers) {
        if (number.kind == NumberKind::Quantity) continue;
        std::optional<Money> money = number.money;
        if (number.kind == NumberKind::Bare) {
            if (!bare_is_amount) continue;
            if (!is_followed_by_unknown_word(reading, number.end, vocabulary))
                money = money_in(number, bare_currency);
        }
        if (std::find(amounts.begin(), amounts.end(), money) == amounts.end()) {
            amounts.push_back(money);
        }
    }
    return amounts;
}

/// "280 is too much, 250 CNY?": beside a real amount, the number of our own price means that price.
Reading without_own_price(Reading reading, const Subject& subject) {
    const bool has_amount =
        std::any_of(reading.numbers.begin(), reading.numbers.end(),
                    [](const NumberMention& number) { return number.money.has_value(); });
    if (!has_amount || !subject.listed_price) return reading;
    std::erase_if(reading.numbers, [&](const NumberMention& number) {
        return number.kind == NumberKind::Bare &&
               money_in(number, subject.listed_price->currency) == subject.listed_price;
    });
    return reading;
}

}  // namespace

AmountFound find_amount(const wire::PayloadView& payload, const Reading& reading,
                        const Subject& subject, const Vocabulary& vocabulary) {
    auto amounts = amounts_of(without_own_price(reading, subject), vocabulary, {});
    if (!payload.offer_amount.empty()) {
        std::optional<Money> money;
        // An unknown code may be a word: 250.00 PAY.
        if (vocabulary.money.knows(payload.offer_currency)) {
            auto parsed = parse_money(payload.offer_amount, payload.offer_currency);
            if (parsed) money = *parsed;
        }
        if (std::find(amounts.begin(), amounts.end(), money) == amounts.end()) {
            amounts.push_back(money);
        }
    } else if (amounts.size() > 1 && subject.listed_price) {
        std::erase(amounts, subject.listed_price);
    }
    if (amounts.empty()) return {};
    if (amounts.size() > 1 || !amounts.front() || is_approximate(reading, vocabulary))
        return {AmountReading::Unclear, {}};
    return {AmountReading::Exact, amounts.front()};
}

namespace {

/// True for "280 yuan or 280 dollars?", and for the price alone.
bool are_listed_price(const std::vector<std::optional<Money>>& amounts, const Money& listed,
                      bool is_alternative) {
    return std::find(amounts.begin(), amounts.end(), listed) != amounts.end() &&
           std::all_of(amounts.begin(), amounts.end(), [&](const auto& amount) {
               return amount && amount->minor == listed.minor &&
                      (is_alternative || amount->currency == listed.currency);
           });
}

}  // namespace

bool asks_for_listed_price(const wire::PayloadView& payload, const Reading& reading,
                           const Subject& subject, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    if (!subject.listed_price || !payload.offer_amount.empty()) return false;
    const bool confirms = (reading.lists & known[Role::Confirms]) != 0;
    const ListSet bargaining = known[Role::Haggle] | known[Role::Deal] | known[Role::Paid] |
                               known[Role::Payment] | known[Role::AmountInWords] |
                               (confirms ? 0 : known[Role::Speaker]);
    if ((reading.lists & bargaining) != 0 || is_approximate(reading, vocabulary)) return false;
    // In Chinese a question mark alone may make an offer: 280元吗.
    const bool is_offer =
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            const bool may_only_ask =
                clause.is_question && reading.language == i18n::Language::Chinese;
            return (clause.lists & known[Role::Offer]) != 0 && !may_only_ask;
        });
    const bool is_alternative = (reading.lists & known[Role::Alternative]) != 0;
    return !is_offer &&
           are_listed_price(amounts_of(reading, vocabulary, subject.listed_price->currency),
                            *subject.listed_price, is_alternative) &&
           std::any_of(reading.clauses.begin(), reading.clauses.end(),
                       [](const Clause& clause) { return clause.is_question; });
}

}  // namespace a2h::reading
