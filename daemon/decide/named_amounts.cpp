#include "daemon/decide/named_amounts.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/text.h"
#include "core/wire/payload.h"

namespace a2h::decide {
namespace {

/// A bare number may be money only if it is at least this part of an amount that was named before,
/// and at most this multiple of it.
constexpr std::int64_t kLikePriceFactor = 2;
constexpr std::size_t kMessagesReadMax = 6;  ///< of those before, for a currency

/// The amounts that a bare number may be like. That of the listing is none: "200" about a bicycle
/// of 250 CNY may be anything.
std::vector<Money> named_before(const Said& said) {
    std::vector<Money> named;
    for (const auto* offer : {&said.other, &said.own}) {
        if (*offer && (*offer)->terms.price) named.push_back(*(*offer)->terms.price);
    }
    if (said.agreed) named.push_back(*said.agreed);
    if (!named.empty()) return named;
    for (std::size_t k = 0; k < std::min(said.recent.size(), kMessagesReadMax); ++k) {
        const auto view = wire::view_payload(said.recent[k].payload_json);
        const std::string text = said.vocabulary.lexicon.comparable(view.text);
        for (const NumberMention& number : find_numbers(text, said.vocabulary)) {
            if (number.money && number.money->minor > 0) named.push_back(*number.money);
        }
        if (!named.empty()) return named;
    }
    return named;
}

bool is_like(const Money& money, const Money& known) {
    return money.minor >= known.minor / kLikePriceFactor &&
           money.minor <= known.minor * kLikePriceFactor;
}

/// "since 2014", 2024款: four digits that may be a year.
bool is_year(const Said& said, const NumberMention& number) {
    if (number.digits.size() != 4 || number.digits < "1950" || number.digits > "2050") return false;
    return ends_before(said, Cue::NamesYear, number.begin);
}

/// 0147, and a number right behind another one: parts of a telephone number.
bool is_part_of_telephone(const Said& said, const NumberMention& number) {
    const std::string_view text = said.reading.text;
    const bool is_behind_digit = number.begin >= 2 && text[number.begin - 1] == ' ' &&
                                 text[number.begin - 2] >= '0' && text[number.begin - 2] <= '9';
    const bool is_before_digit = number.end + 1 < text.size() && text[number.end] == ' ' &&
                                 text[number.end + 1] >= '0' && text[number.end + 1] <= '9';
    return number.digits.starts_with('0') || is_behind_digit || is_before_digit;
}

/// "at 10", "on 14": hours and days.
bool is_time(const Said& said, const NumberMention& number) {
    constexpr std::size_t kDigitsMax = 2;
    return number.digits.size() <= kDigitsMax && number.digits <= "31" &&
           ends_before(said, Cue::BeforeTime, number.begin);
}

bool is_name(const Said& said, const NumberMention& number) {
    return is_time(said, number) || ends_before(said, Cue::LabelBefore, number.begin) ||
           is_year(said, number) || is_part_of_telephone(said, number) ||
           said.vocabulary.cues[Cue::SlangNumber].is(number.digits);
}

/// Whether something is counted behind a bare number: "guests", 款, a sign as in "3/4".
bool counts(const Said& said, const NumberMention& number) {
    const std::string_view text = said.reading.text;
    constexpr std::string_view kJoining = "/:-#%";
    const std::size_t end = number.end;
    if (end >= text.size()) return false;
    if (kJoining.find(text[end]) != std::string_view::npos) return true;
    if (is_han(code_point_at(text, end)) || text[end] != ' ')
        return end_of_cue(said, Cue::CountedBehind, end) > end;
    if (!begins_latin(text[end + 1 < text.size() ? end + 1 : end])) return false;
    return begins_behind(said, Cue::CountedBehind, end);
}

/// Whether a number in Chinese begins or ends its clause, or stands behind a word for prices.
bool stands_like_price(const Said& said, const Clause& clause, const NumberMention& number) {
    if (said.reading.language != i18n::Language::Chinese) return true;
    const std::string_view text = said.reading.text;
    const std::size_t before = number.begin > 0 ? number.begin - 1 : 0;
    const bool follows_word = static_cast<signed char>(text[before]) < 0;
    return number.begin <= clause.begin + 1 || number.end >= clause.end || !follows_word ||
           end_of_cue(said, Cue::AgreesBeside, number.end) >= clause.end ||
           ends_before(said, Cue::BeforePrice, number.begin) ||
           begins_behind(said, Cue::Proposes, number.end);
}

std::optional<Money> bare_money(const Said& said, const Clause& clause, const NumberMention& number,
                                const std::vector<Money>& before) {
    for (const Money& known : before) {
        const auto money = parse_money(number.digits, known.currency);
        if (!money || counts(said, number) || !stands_like_price(said, clause, number)) continue;
        if (*money == known || (is_like(*money, known) && !is_name(said, number))) return *money;
    }
    return std::nullopt;
}

/// The amount of a number whose currency word may also count things: money if it is the currency
/// in which both deal, if nothing follows that it could count, or if a price is spoken of.
std::optional<Money> doubtful_money(const Said& said, const Clause& clause,
                                    const NumberMention& number, const std::vector<Money>& before) {
    const std::string_view text = said.reading.text;
    const std::string& currency = number.doubtful->currency;
    const bool is_known = (said.listed && said.listed->currency == currency) ||
                          std::any_of(before.begin(), before.end(), [&](const Money& known) {
                              return known.currency == currency;
                          });
    const bool is_word = ends_before(said, Cue::MayBeginWord, number.end) &&
                         !begins_behind(said, Cue::GoesOn, number.end);
    const bool is_last = number.end < text.size() && text[number.end] == ' ';
    const bool counts_things =
        begins_behind(said, Cue::PieceThings, number.end) || contains(said, Cue::Weight, clause);
    const bool is_price = number.digits.size() > 1 || contains(said, Cue::SpeaksOfPrice, clause);
    if (counts_things) return std::nullopt;
    return is_known || is_word || is_last || is_price ? number.doubtful : std::nullopt;
}

/// 元 is the unit of several currencies, and means that of the deal.
Money in_currency_of_deal(const Said& said, const NumberMention& number,
                          const std::vector<Money>& before) {
    constexpr std::array<std::string_view, 2> kCurrencies = {"TWD", "HKD"};
    const std::optional<Money> known = before.empty() ? said.listed : std::optional(before.front());
    const bool is_meant =
        known &&
        std::find(kCurrencies.begin(), kCurrencies.end(), known->currency) != kCurrencies.end() &&
        number.currency == "CNY" && ends_before(said, Cue::MayBeginWord, number.end);
    return is_meant ? Money{number.money->minor, known->currency} : *number.money;
}

std::optional<Money> money_of(const Said& said, const Clause& clause, const NumberMention& number,
                              const std::vector<Money>& before) {
    if (number.money) return in_currency_of_deal(said, number, before);
    if (number.doubtful) return doubtful_money(said, clause, number, before);
    return number.kind == NumberKind::Bare ? bare_money(said, clause, number, before)
                                           : std::nullopt;
}

/// Amounts that are part of the price, or a price of somebody else.
bool is_left_out(const Said& said, const Clause& clause, const NumberMention& number) {
    return ends_before(said, Cue::PartOfPrice, number.begin) ||
           begins_behind(said, Cue::PartOfPrice, number.end) ||
           ends_before(said, Cue::AddedBefore, number.begin) ||
           begins_behind(said, Cue::AddedBehind, number.end) ||
           ends_before(said, Cue::Below, number.begin) ||
           contains(said, Cue::TellsPrices, clause) || contains(said, Cue::Roughly, clause);
}

/// Whether the sentence asks about the amounts of `clause` without proposing them: "300 euros,
/// right?"
bool is_asked(const Said& said, const Clause& clause) {
    bool asks_about = false;
    bool confirms = false;
    bool proposes = false;
    for (const Clause& each : said.reading.clauses) {
        if (each.sentence != clause.sentence) continue;
        asks_about = asks_about || asks(said, each);
        confirms = confirms || contains(said, Cue::AsksToConfirm, each);
        proposes = proposes || contains(said, Cue::Proposes, each);
    }
    return asks_about && confirms && !proposes;
}

NamedAmount named(const Said& said, const Clause& clause, const NumberMention& number,
                  Money money) {
    NamedAmount amount;
    amount.money = std::move(money);
    amount.has_currency = number.kind == NumberKind::Money;
    amount.is_asked = is_asked(said, clause);
    amount.is_refused = !asks(said, clause) && contains(said, Cue::Refuses, clause);
    amount.is_each = begins_behind(said, Cue::EachBehind, number.end) ||
                     ends_before(said, Cue::EachBefore, number.begin);
    amount.is_in_all =
        ends_before(said, Cue::InAll, number.begin) || begins_behind(said, Cue::InAll, number.end);
    amount.begin = number.begin;
    amount.end = number.end;
    return amount;
}

template <typename Test>
void keep_others(std::vector<NamedAmount>& amounts, Test test) {
    if (std::all_of(amounts.begin(), amounts.end(), test)) return;
    std::erase_if(amounts, test);
}

bool are_one(const std::vector<NamedAmount>& amounts) {
    return std::all_of(amounts.begin(), amounts.end(), [&](const NamedAmount& amount) {
        return amount.money == amounts.front().money;
    });
}

}  // namespace

std::vector<NamedAmount> amounts_named(const Said& said) {
    const auto before = named_before(said);
    std::vector<NamedAmount> amounts;
    for (const Clause& clause : said.reading.clauses) {
        for (const NumberMention& number : numbers_in(said, clause)) {
            const auto money = money_of(said, clause, number, before);
            if (!money || money->minor == 0 || is_left_out(said, clause, number)) continue;
            amounts.push_back(named(said, clause, number, *money));
        }
    }
    return amounts;
}

std::optional<NamedAmount> amount_meant(const Said& said, std::vector<NamedAmount> amounts) {
    keep_others(amounts, [](const NamedAmount& each) { return each.is_refused; });
    keep_others(amounts, [](const NamedAmount& each) { return each.is_asked; });
    keep_others(amounts, [](const NamedAmount& each) { return !each.has_currency; });
    if (amounts.size() > 1) {
        keep_others(amounts, [](const NamedAmount& each) { return !each.is_each; });
        keep_others(amounts, [](const NamedAmount& each) { return !each.is_in_all; });
        keep_others(amounts, [&](const NamedAmount& each) { return each.money == said.listed; });
        keep_others(amounts,
                    [&](const NamedAmount& each) { return is_price_of(said.own, each.money); });
        keep_others(amounts,
                    [&](const NamedAmount& each) { return is_price_of(said.other, each.money); });
    }
    if (amounts.empty() || !are_one(amounts)) return std::nullopt;
    return amounts.back();
}

namespace {

/// "20 less", 少200: how much less.
std::optional<NumberMention> reduction_in(const Said& said) {
    for (const NumberMention& number : said.reading.numbers) {
        if (number.is_reduction) return number;
    }
    return std::nullopt;
}

/// The price from which something is taken: the higher one, which is that of the seller.
std::optional<Money> highest_price(const Said& said) {
    std::optional<Money> highest;
    for (const auto* offer : {&said.other, &said.own}) {
        if (!*offer || !(*offer)->terms.price) continue;
        const Money& price = *(*offer)->terms.price;
        if (!highest || price.minor > highest->minor) highest = price;
    }
    return highest ? highest : said.listed;
}

std::optional<Money> mean_price(const Said& said) {
    if (!said.own || !said.other) return std::nullopt;
    const auto& own = said.own->terms.price;
    const auto& other = said.other->terms.price;
    if (!own || !other || own->currency != other->currency) return std::nullopt;
    return Money{(own->minor + other->minor) / 2, own->currency};
}

std::optional<Money> reduced_price(const Said& said) {
    const auto reduction = reduction_in(said);
    const auto from = highest_price(said);
    if (!reduction || !from) return std::nullopt;
    const auto less = parse_money(reduction->digits, from->currency);
    if (!less || less->minor <= 0 || less->minor * 2 > from->minor) return std::nullopt;
    return Money{from->minor - less->minor, from->currency};
}

/// 加300 after an agreement: the agreed price and what is added to it, if it is the only amount.
std::optional<Money> raised_price(const Said& said) {
    const auto& numbers = said.reading.numbers;
    if (!said.agreed || numbers.size() != 1 || !numbers.front().money) return std::nullopt;
    const NumberMention& number = numbers.front();
    const bool is_added = ends_before(said, Cue::AddedBefore, number.begin) &&
                          !ends_before(said, Cue::PartOfPrice, number.begin);
    if (!is_added || number.money->currency != said.agreed->currency) return std::nullopt;
    return Money{said.agreed->minor + number.money->minor, said.agreed->currency};
}

}  // namespace

std::optional<Money> amount_between(const Said& said) {
    if (const auto raised = raised_price(said)) return asks_anything(said) ? std::nullopt : raised;
    const auto& clauses = said.reading.clauses;
    const bool splits = std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return contains(said, Cue::Splits, clause);
    });
    return splits ? mean_price(said) : reduced_price(said);
}

}  // namespace a2h::decide
