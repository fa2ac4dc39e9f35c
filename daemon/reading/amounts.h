#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/money.h"
#include "daemon/reading/lexicon.h"

namespace a2h::reading {

class Cues;         // see cues.h
struct Vocabulary;  // see vocabulary.h

/// The meaning of a number in a text.
enum class NumberKind {
    Money,     ///< with a currency: "300元", "$45", "三百块"
    Bare,      ///< without anything that says what it counts: "how about 250"
    Quantity,  ///< counts something, or is a date, version or telephone number
    Discount,  ///< "8折", "20%", 再加5元, "5 CNY more": a change of a price and no amount
};

/// One number found in comparable text.
struct NumberMention {
    std::size_t begin = 0;
    std::size_t end = 0;
    NumberKind kind = NumberKind::Quantity;
    std::string digits;          ///< decimal major units for `parse_money`
    std::string currency;        ///< Money only
    ListSet unit = 0;            ///< Quantity only: what is counted; 0 if unknown
    std::optional<Money> money;  ///< Money only; absent when not exact, e.g. half of a range
    /// Money only: what it would be if its currency word counts nothing ("3 pounds", 80块呗,
    /// 25元一天).
    std::optional<Money> doubtful;
    bool is_reduction = false;  ///< Discount only: an amount by which a price changes, not a part
};

/// The words for currencies, and the words for things that are counted.
class MoneyWords {
  public:
    /// Errors: none; a later word replaces an earlier one.
    void add_currency(std::string_view word, std::string_view currency);
    void add_measure(std::string_view word) { measures_.add(word, 1); }
    /// `word` counts things of `unit` (one bit); several words may share a unit.
    void add_unit(std::string_view word, ListSet unit) { measures_.add(word, 1 | unit); }
    /// A number written as a word: "three". Used only before a measure.
    void add_numeral(std::string_view word, unsigned value) { numerals_.add(word, value); }

    /// Whether the sign is also that of `currency`: "$" of the one that has "HK$".
    bool may_mean(std::string_view sign, std::string_view currency) const;
    /// Whether a word for the currency of this code is known.
    bool knows(std::string_view currency) const;
    /// The currency word that begins (or ends) at `position`; an empty code if there is none.
    struct Found {
        std::string_view currency;
        std::size_t length = 0;
    };
    Found currency_at(std::string_view text, std::size_t position) const;
    Found currency_before(std::string_view text, std::size_t position, const Cues& cues) const;
    /// The measure that begins at `position`: bit 0 for any measure, the others for its unit; 0 if
    /// there is none.
    ListSet measure_at(std::string_view text, std::size_t position) const;
    /// The number word that begins at `position`; `lists` is its value.
    WordMatch numeral_at(std::string_view text, std::size_t position) const {
        return numerals_.longest_at(text, position);
    }

  private:
    Lexicon words_;
    Lexicon measures_;
    Lexicon numerals_;
    std::vector<std::string> codes_;
    std::vector<std::pair<std::string, std::string>> signs_;  ///< words of signs, their currencies
};

/// All numbers of `text` (comparable), in order, in digits or Chinese numerals.
std::vector<NumberMention> find_numbers(std::string_view text, const MoneyWords& words,
                                        const Cues& cues);
std::vector<NumberMention> find_numbers(std::string_view text, const Vocabulary& vocabulary);

}  // namespace a2h::reading
