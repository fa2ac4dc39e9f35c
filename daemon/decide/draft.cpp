#include <algorithm>

#include "core/base/text.h"
#include "daemon/decide/situation.h"

namespace a2h::decide {
namespace {

/// True if the instruction contains an amount and otherwise only words such as "counter" or 还价到.
bool is_only_a_counter_offer(const Reading& reading, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    const ListSet allowed =
        known[Role::CounterOffer] | known[Role::Filler] | known[Role::Offer] | known[Role::Haggle];
    return (reading.lists & ~allowed) == 0 &&
           std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
               return !clause.is_question && unknown_words(reading, clause).empty();
           });
}

std::optional<Money> amount_of(const Reading& reading, std::string_view currency) {
    if (reading.numbers.size() != 1) return std::nullopt;
    const NumberMention& number = reading.numbers.front();
    if (number.kind == NumberKind::Money) return number.money;
    if (number.kind != NumberKind::Bare || !is_currency_code(currency)) return std::nullopt;
    if (auto money = parse_money(number.digits, currency)) return *money;
    return std::nullopt;
}

}  // namespace

std::string draft_from_instruction(std::string_view instruction, std::string_view currency) {
    const Vocabulary& vocabulary = built_in_vocabulary();
    const Reading reading = read_text(instruction, vocabulary);
    const auto money = amount_of(reading, currency);
    if (money && is_only_a_counter_offer(reading, vocabulary)) {
        return i18n::text(reading.language, "decide.reply.counter_offer",
                          {{"amount", to_text(*money)}});
    }
    return std::string(trim(instruction));
}

}  // namespace a2h::decide
