#include "daemon/decide/situation.h"

#include <algorithm>

#include "core/base/text.h"
#include "daemon/decide/clause_roles.h"
#include "daemon/decide/conversation_order.h"

namespace a2h::decide {
namespace {

/// More is not read: 64 KiB take 50 ms, and no rule answers or silences a text of this length.
constexpr std::size_t kTextCodePointsMax = 2'000;
constexpr std::size_t kHistoryRead = 6;  // entries looked at for the language

/// "250 btc": the word behind a bare number may be a currency that nobody told us of.
bool is_followed_by_unknown_word(const Reading& reading, std::size_t end,
                                 const RuleSet::Impl& playbook) {
    const std::string_view text = reading.text;
    const std::size_t after = end < text.size() && text[end] == ' ' ? end + 1 : end;
    if (after >= text.size() || text[after] < 'a' || text[after] > 'z') return false;
    return (playbook.lexicon.longest_at(text, after).lists & ~playbook.known.payment) == 0;
}

/// "250?": a number and the question whether it will do.
bool asks_for_a_number(const Reading& reading, const RuleSet::Impl& playbook) {
    const auto& clauses = reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(),
                       [](const Clause& clause) { return clause.is_question; }) &&
           (reading.lists & ~(playbook.known.filler | playbook.known.question)) == 0 &&
           std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
               return unknown_words(reading, clause).empty();
           });
}

/// "Around 250". A limit beside a number of pages leaves the price alone: "280, up to 20 pages".
bool is_approximate(const Reading& reading, const RuleSet::Impl& playbook) {
    if ((reading.lists & playbook.known.approximate) == 0) return false;
    const auto distance = [](const NumberMention& number, const WordMatch& word) {
        return number.begin >= word.end ? number.begin - word.end
                                        : word.begin - std::min(word.begin, number.end);
    };
    return std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
        if ((word.lists & playbook.known.approximate) == 0) return false;
        const auto nearest = std::min_element(
            reading.numbers.begin(), reading.numbers.end(),
            [&](const auto& a, const auto& b) { return distance(a, word) < distance(b, word); });
        return nearest == reading.numbers.end() || nearest->kind != NumberKind::Quantity ||
               nearest->unit == 0;
    });
}

/// Makes a number an amount. "Ok, 280" takes note of it, "280 is ok" offers it.
bool bargains(const Reading& reading, const KnownLists& known) {
    const ListSet bargaining = known.offer | known.haggle | known.deal | known.paid;
    if ((reading.lists & bargaining) == 0) return false;
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        if ((clause.lists & bargaining) == 0) return false;
        const bool only_agrees =
            (clause.lists & bargaining) == known.offer && (clause.lists & known.assent) != 0 &&
            is_covered_by(reading, clause, known.assent | known.filler | known.acknowledgement);
        return !only_agrees;
    });
}

/// The distinct amounts of `reading`; nothing in a place where one is not exact.
std::vector<std::optional<Money>> amounts_of(const Reading& reading, const Subject& subject,
                                             const RuleSet::Impl& playbook) {
    const KnownLists& known = playbook.known;
    const bool bare_is_amount = bargains(reading, known) || is_approximate(reading, playbook) ||
                                asks_for_a_number(reading, playbook);
    std::vector<std::optional<Money>> amounts;
    for (const NumberMention& number : reading.numbers) {
        if (number.kind == NumberKind::Quantity) continue;
        std::optional<Money> money = number.money;
        if (number.kind == NumberKind::Bare) {
            if (!bare_is_amount) continue;
            if (is_currency_code(subject.listed_currency) &&
                !is_followed_by_unknown_word(reading, number.end, playbook)) {
                if (auto parsed = parse_money(number.digits, subject.listed_currency)) {
                    money = *parsed;
                }
            }
        }
        if (std::find(amounts.begin(), amounts.end(), money) == amounts.end()) {
            amounts.push_back(money);
        }
    }
    return amounts;
}

PartSet parts_of(const wire::PayloadView& payload, const std::string& order_id) {
    PartSet parts = 0;
    if (!trim(payload.text).empty()) parts |= bit(Part::Text);
    if (!payload.payment_qr.empty()) parts |= bit(Part::PaymentQr);
    if (!order_id.empty()) parts |= bit(Part::OrderId);
    if (!payload.works_id.empty()) parts |= bit(Part::WorksId);
    if (!payload.attachment_url.empty()) parts |= bit(Part::Attachment);
    if (!payload.offer_amount.empty()) parts |= bit(Part::Offer);
    return parts;
}

/// That of the message, else of what the peer wrote last, else the owner's.
i18n::Language peer_language_of(const Input& input, const Reading& reading,
                                const RuleSet::Impl& playbook) {
    if (reading.has_letters) return reading.language;
    const std::size_t count = std::min(input.recent.size(), kHistoryRead);
    for (std::size_t k = 0; k < count; ++k) {
        if (!input.recent[k].incoming) continue;
        const std::string text = wire::view_payload(input.recent[k].payload_json).text;
        const Reading before = read_text(text, playbook);
        if (before.has_letters) return before.language;
    }
    return input.owner_language;
}

}  // namespace

AmountFound find_amount(const wire::PayloadView& payload, const Reading& reading,
                        const Subject& subject, const RuleSet::Impl& playbook) {
    auto amounts = amounts_of(reading, subject, playbook);
    if (!payload.offer_amount.empty()) {
        std::optional<Money> money;
        if (auto parsed = parse_money(payload.offer_amount, payload.offer_currency)) {
            money = *parsed;
        }
        if (std::find(amounts.begin(), amounts.end(), money) == amounts.end()) {
            amounts.push_back(money);
        }
    } else if (amounts.size() > 1 && subject.listed_price) {
        std::erase(amounts, subject.listed_price);
    }
    if (amounts.empty()) return {};
    if (amounts.size() > 1 || !amounts.front() || is_approximate(reading, playbook))
        return {AmountReading::Unclear, {}};
    return {AmountReading::Exact, amounts.front()};
}

namespace {

/// "280 yuan or 280 dollars?", or the price alone.
bool are_listed_price(const std::vector<std::optional<Money>>& amounts, const Money& listed,
                      bool is_alternative) {
    return std::find(amounts.begin(), amounts.end(), listed) != amounts.end() &&
           std::all_of(amounts.begin(), amounts.end(), [&](const auto& amount) {
               return amount && amount->minor == listed.minor &&
                      (is_alternative || amount->currency == listed.currency);
           });
}

/// 请问是280元吗, "is the price 280 CNY?": asks whether the price is the one that the listing
/// states, and says nothing that could be an offer.
bool asks_for_listed_price(const Input& input, const Reading& reading, const Subject& subject,
                           const RuleSet::Impl& playbook) {
    const KnownLists& known = playbook.known;
    if (!subject.listed_price || !input.payload.offer_amount.empty()) return false;
    const bool confirms = (reading.lists & known.confirm) != 0;
    const ListSet bargaining = known.haggle | known.deal | known.paid | known.payment |
                               known.spelled_amount | (confirms ? 0 : known.first_person);
    if ((reading.lists & bargaining) != 0 || is_approximate(reading, playbook)) return false;
    // In Chinese the mark of a question alone may be one of an offer: 280元吗.
    const bool is_offer =
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            const bool may_only_ask =
                clause.is_question && reading.language == i18n::Language::Chinese;
            return (clause.lists & known.offer) != 0 && !may_only_ask;
        });
    const bool is_alternative = (reading.lists & known.alternative) != 0;
    return !is_offer &&
           are_listed_price(amounts_of(reading, subject, playbook), *subject.listed_price,
                            is_alternative) &&
           std::any_of(reading.clauses.begin(), reading.clauses.end(),
                       [](const Clause& clause) { return clause.is_question; });
}

}  // namespace

Situation understand(const Input& input, const RuleSet::Impl& playbook) {
    Situation situation{.input = input,
                        .playbook = playbook,
                        .reading = read_text(truncate(input.payload.text, kTextCodePointsMax),
                                             playbook, Writer::Peer),
                        .subject = {},
                        .amount = {},
                        .order_id = input.payload.order_id};
    find_roles(situation.reading, playbook);
    if (situation.order_id.empty()) situation.order_id = order_id_in(situation.reading.text);
    situation.length = code_point_count(input.payload.text);
    situation.is_cut = situation.length > kTextCodePointsMax;
    const auto& clauses = situation.reading.clauses;
    situation.asks_anything = std::any_of(clauses.begin(), clauses.end(),
                                          [](const Clause& clause) { return clause.is_question; });
    situation.subject = find_subject(input, situation.reading, playbook);
    if (asks_for_listed_price(input, situation.reading, situation.subject, playbook)) {
        situation.reading.facts |= bit(Fact::Price);
        for (Clause& clause : situation.reading.clauses)
            if (clause.is_question) clause.facts |= bit(Fact::Price);
    } else {
        situation.amount =
            find_amount(input.payload, situation.reading, situation.subject, playbook);
    }
    situation.parts = parts_of(input.payload, situation.order_id);
    situation.peer_language = peer_language_of(input, situation.reading, playbook);
    return situation;
}

bool is_plain_offer(const Situation& situation) {
    constexpr PartSet kAllowed = bit(Part::Text) | bit(Part::WorksId) | bit(Part::Offer);
    constexpr std::string_view kMarks = " ,.!?，。！？、";
    const Reading& reading = situation.reading;
    const std::string_view text = reading.text;
    if (situation.is_cut || !reading.is_readable || reading.is_corrected ||
        (situation.parts & ~kAllowed) != 0 || situation.amount.reading != AmountReading::Exact ||
        reading.numbers.size() != (text.empty() ? 0 : 1)) {
        return false;
    }
    for (std::size_t i = 0; i < text.size();) {
        const NumberMention& number = reading.numbers.front();
        if (i == number.begin) {
            if (number.end == i) return false;
            i = number.end;
            continue;
        }
        const WordMatch word = situation.playbook.plain_offer.longest_at(text, i);
        const std::size_t length = code_point_length(text, i);
        if (word.end > i) {
            i = word.end;
        } else if (kMarks.find(text.substr(i, length)) != std::string_view::npos) {
            i += length;
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace a2h::decide
