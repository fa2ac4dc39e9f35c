#include "daemon/reading/spelled_amounts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "daemon/reading/vocabulary.h"

namespace a2h::reading {
namespace {

/// "twenty", "six", "hundred": 2600. A word that does not fit ends the number.
class Spelled {
  public:
    bool push(std::int64_t word) {
        if (word == 1000) return push_thousand();
        if (word == 100) return push_hundred();
        const bool follows_ten = tail_ >= 20 && tail_ % 10 == 0 && word < 10;
        const bool is_short = tail_ > 0 && tail_ < 10 && current_ == tail_ && word >= 10;
        if (is_short) current_ *= 100;  // "two-sixty"
        if (tail_ != 0 && !follows_ten && !is_short) return false;
        current_ += word;
        tail_ = follows_ten ? 1 : word;
        return true;
    }

    std::int64_t value() const { return total_ + current_; }

  private:
    bool push_hundred() {
        if (current_ >= 100) return false;
        current_ = (current_ == 0 ? 1 : current_) * 100;
        tail_ = 0;
        return true;
    }

    bool push_thousand() {
        if (total_ != 0) return false;
        total_ = (current_ == 0 ? 1 : current_) * 1000;
        current_ = tail_ = 0;
        return true;
    }

    std::int64_t total_ = 0;
    std::int64_t current_ = 0;
    std::int64_t tail_ = 0;  ///< the word before, if it may be continued
};

/// The begin of the next word of a number: behind a hyphen, a space or "and".
std::size_t next_of(std::string_view text, std::size_t end) {
    constexpr std::string_view kAnd = " and ";
    if (text.substr(end).starts_with(kAnd)) return end + kAnd.size();
    const bool goes_on = end < text.size() && (text[end] == ' ' || text[end] == '-');
    return goes_on ? end + 1 : text.size();
}

NumberMention number_at(std::string_view text, std::size_t begin, const MoneyWords& words) {
    NumberMention number;
    number.begin = number.end = begin;
    Spelled spelled;
    for (std::size_t at = begin; at < text.size(); at = next_of(text, number.end)) {
        const WordMatch word = words.numeral_at(text, at);
        if (word.lists == 0 || !spelled.push(static_cast<std::int64_t>(word.lists))) break;
        number.end = word.end;
    }
    number.digits = std::to_string(spelled.value());
    return number;
}

/// Whether `number` is an amount, whose kind and money are set then.
bool is_amount(NumberMention& number, std::string_view text, const MoneyWords& words) {
    constexpr std::int64_t kBareMin = 20;
    const std::size_t behind = next_of(text, number.end);
    const auto currency = words.currency_at(text, behind);
    if (currency.currency.empty()) {
        number.kind = NumberKind::Bare;
        return std::stoll(number.digits) >= kBareMin && words.measure_at(text, behind) == 0;
    }
    number.kind = NumberKind::Money;
    number.currency = currency.currency;
    number.end = behind + currency.length;
    if (auto money = parse_money(number.digits, number.currency)) number.doubtful = *money;
    return true;
}

}  // namespace

std::vector<NumberMention> find_spelled_amounts(std::string_view text,
                                                const Vocabulary& vocabulary) {
    std::vector<NumberMention> found;
    for (std::size_t i = 0; i < text.size();) {
        const bool begins = begins_latin(text[i]) && is_word_boundary(text, i);
        NumberMention number = begins ? number_at(text, i, vocabulary.money) : NumberMention{};
        if (number.end > i) {
            const std::size_t end = number.end;
            if (is_amount(number, text, vocabulary.money)) found.push_back(number);
            i = std::max(end, number.end);
        } else {
            i += code_point_length(text, i);
        }
    }
    return found;
}

}  // namespace a2h::reading
