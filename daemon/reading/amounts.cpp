#include "daemon/reading/amounts.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/reading/digits.h"
#include "daemon/reading/doubtful_amounts.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {
namespace {

constexpr std::size_t kBareDigitsMax = 7;  // more digits are a telephone or account number
constexpr std::size_t kCurrencyWordBytesMax = 16;

std::size_t skip_space(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] == ' ' ? i + 1 : i;
}

constexpr std::array<std::pair<std::string_view, int>, 12> kHanDigits = {{{"零", 0},
                                                                          {"〇", 0},
                                                                          {"一", 1},
                                                                          {"二", 2},
                                                                          {"两", 2},
                                                                          {"三", 3},
                                                                          {"四", 4},
                                                                          {"五", 5},
                                                                          {"六", 6},
                                                                          {"七", 7},
                                                                          {"八", 8},
                                                                          {"九", 9}}};
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kHanUnits = {
    {{"十", 10}, {"百", 100}, {"千", 1000}, {"万", 10000}}};

/// 三百五 is 350, 两千零五十 is 2050, 一万二 is 12000.
class HanNumeral {
  public:
    /// False if `character` is not a numeral or does not fit here.
    bool push(std::string_view character) {
        for (const auto& [word, value] : kHanDigits) {
            if (character == word) return push_digit(value);
        }
        for (const auto& [word, value] : kHanUnits) {
            if (character == word) return push_unit(value);
        }
        return false;
    }

    /// Empty for strings of digits such as 二零二六.
    std::optional<std::int64_t> value() const {
        if (is_string_) return std::nullopt;
        if (digit_ < 0) return total_ + section_;
        const bool is_short_form = last_unit_ >= 100 && !zero_;
        return total_ + section_ + digit_ * (is_short_form ? last_unit_ / 10 : 1);
    }
    std::int64_t last_unit() const { return last_unit_; }
    /// The larger number of 十五六; 0 for other numerals.
    std::int64_t most() const { return most_; }
    bool has_large_unit() const { return largest_unit_ >= 100; }

  private:
    bool push_digit(int value) {
        if (digit_ > 0) {
            // 十五六 means fifteen or sixteen.
            if (value == digit_ + 1 && last_unit_ == 10 && !is_string_) {
                most_ = total_ + section_ + value;
            }
            is_string_ = true;
        }
        if (value == 0 && digit_ < 0) {
            zero_ = true;
            return true;
        }
        digit_ = value;
        return true;
    }

    bool push_unit(std::int64_t unit) {
        if (unit == 10'000) {
            if (total_ != 0) return false;
            // Some write 万五元 for 15 000, so a 万 without a digit before it is not a number.
            if (section_ == 0 && digit_ < 0) is_string_ = true;
            total_ = (section_ + std::max(digit_, 0)) * unit;
            section_ = 0;
        } else {
            section_ += (digit_ < 0 ? 1 : digit_) * unit;
        }
        digit_ = -1;
        zero_ = false;
        last_unit_ = unit;
        largest_unit_ = std::max(largest_unit_, unit);
        return true;
    }

    std::int64_t total_ = 0;
    std::int64_t section_ = 0;
    std::int64_t last_unit_ = 1;
    std::int64_t largest_unit_ = 1;
    std::int64_t most_ = 0;
    int digit_ = -1;
    bool zero_ = false;
    bool is_string_ = false;
};

constexpr std::size_t kHanNumeralCharactersMax = 16;

/// "$", "hk$", "€": the last character is neither a letter nor Han.
bool ends_with_sign(std::string_view word) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < word.size(); i += code_point_length(word, i))
        last = i;
    const bool is_latin = !word.empty() && begins_latin(word[last]);
    return !word.empty() && !is_latin && !is_han(code_point_at(word, last));
}

class Finder {
  public:
    Finder(std::string_view text, const MoneyWords& words, const Cues& cues)
        : text_(text), words_(words), cues_(cues) {}

    std::vector<NumberMention> all() {
        for (std::size_t i = 0; i < text_.size();) {
            const std::size_t end = is_digit(text_, i)                       ? read_arabic(i)
                                    : static_cast<signed char>(text_[i]) < 0 ? read_han(i)
                                                                             : read_word(i);
            i = end > i ? end : i + code_point_length(text_, i);
        }
        mark_ranges();
        return std::move(found_);
    }

  private:
    /// "1. Price\n2. Place", "1) price 2) place": the number of a line or point, not a quantity.
    bool is_enumerator(const DigitRun& run, std::size_t begin) {
        constexpr std::size_t kDigitsMax = 2;
        if (run.end - begin > kDigitsMax || run.kind != DigitRun::Kind::Decimal) return false;
        const bool is_marked = starts_at(text_, run.end, ". ") || starts_at(text_, run.end, ")") ||
                               starts_at(text_, run.end, "、") ||
                               (starts_at(text_, run.end, ".") && run.end + 1 < text_.size() &&
                                static_cast<signed char>(text_[run.end + 1]) < 0);
        if (!is_marked) return false;
        const bool begins_line = begin == 0 || text_[begin - 1] == '\n';
        const bool is_next = run.digits == std::to_string(points_ + 1);
        const bool begins_point = begins_line || std::string_view(" (:;,").find(text_[begin - 1]) !=
                                                     std::string_view::npos;
        if (!begins_line && !(is_next && begins_point)) return false;
        if (is_next) ++points_;
        return true;
    }

    std::size_t read_arabic(std::size_t begin) {
        DigitRun run = read_digits(text_, begin);
        if (is_enumerator(run, begin)) return run.end;
        NumberMention mention;
        mention.begin = begin;
        mention.end = run.end;
        const bool is_glued = !is_word_boundary(text_, begin) && !has_currency_before(begin);
        if (!is_glued && run.kind != DigitRun::Kind::Date) {
            read_multiplier(text_, begin, run);
            mention.end = run.end;
            mention.digits = run.digits;
            classify(mention, is_exact(run, begin));
            if (mention.kind != NumberKind::Money) add_rest(mention, rest_at(mention.end));
            if (mention.kind == NumberKind::Bare) set_bare(mention, run, begin);
        }
        found_.push_back(mention);
        return mention.end;
    }

    bool is_exact(const DigitRun& run, std::size_t begin) const {
        if (run.kind != DigitRun::Kind::Decimal || is_behind_han_unit(text_, begin)) return false;
        // "¥300,5 sheets" without a space is not a price of 300.50.
        const bool has_suffix = has_currency_at(run.end);
        return !run.has_decimal_comma || has_suffix ||
               (words_.measure_at(text_, run.end) == 0 && is_word_boundary(text_, run.end));
    }

    /// Without a currency "12 300" may be two numbers, and "1.2.3" is a version.
    void set_bare(NumberMention& mention, const DigitRun& run, std::size_t begin) const {
        const std::string_view written = text_.substr(begin, run.end - begin);
        if (run.has_space) mention.digits = written;
        const bool is_version = run.kind == DigitRun::Kind::Unknown &&
                                std::count(written.begin(), written.end(), '.') > 1;
        if (is_version) mention.kind = NumberKind::Quantity;
    }

    /// 三十多页, 三百来块: the bytes that make a number before a measure or currency inexact.
    std::size_t vague_bytes_at(std::size_t end) const {
        const std::size_t length = length_at(Cue::Vague, end);
        const std::size_t after = end + length;
        const bool is_before = words_.measure_at(text_, after) != 0 || has_currency_at(after);
        return is_before ? length : 0;
    }

    bool has_currency_at(std::size_t end) const {
        return !words_.currency_at(text_, skip_space(text_, end)).currency.empty();
    }

    std::size_t read_han(std::size_t begin) {
        HanNumeral numeral;
        std::size_t end = begin;
        std::size_t characters = 0;
        while (end < text_.size() && characters < kHanNumeralCharactersMax) {
            const std::size_t length = code_point_length(text_, end);
            if (length != 3 || !numeral.push(text_.substr(end, length))) break;
            end += length;
            ++characters;
        }
        if (characters == 0) return begin;
        NumberMention mention;
        mention.begin = begin;
        mention.end = end;
        auto value = numeral.value();
        const std::size_t vague_bytes = vague_bytes_at(end);
        const bool is_vague = vague_bytes != 0 && value.value_or(0) >= 10;
        const std::int64_t most = value.value_or(0) + numeral.last_unit() - 1;
        if (is_vague) value.reset();
        mention.end = end += value ? 0 : vague_bytes;
        const bool has_currency = has_currency_at(end);
        const bool is_discount = length_at(Cue::DiscountUnit, end) != 0;
        // In 一下 and 一起 the numeral is part of a word; 一次 is like "a".
        const Rest rest = rest_at(end);
        const bool is_count =
            (words_.measure_at(text_, end) > 1 || rest.bytes != 0) && value.value_or(2) > 1;
        if (!has_currency && !is_discount && !numeral.has_large_unit() && !is_count) return end;
        if (value) mention.digits = std::to_string(*value);
        classify(mention, value.has_value());
        if (is_vague && mention.kind == NumberKind::Quantity) mention.digits = std::to_string(most);
        if (numeral.most() != 0 && mention.kind == NumberKind::Quantity) {
            mention.digits = std::to_string(numeral.most());
        }
        if (value) add_rest(mention, rest);
        found_.push_back(mention);
        return mention.end;
    }

    /// 三个多小时, 两个半小时: what is between a number and the thing that is counted.
    struct Rest {
        std::size_t bytes = 0;
        std::string_view digits;
        ListSet measure = 0;
    };
    Rest rest_at(std::size_t end) const {
        constexpr std::array<std::pair<Cue, std::string_view>, 2> kRests = {
            {{Cue::MoreThan, ".9"}, {Cue::AndHalf, ".5"}}};
        for (const auto& [cue, digits] : kRests) {
            const std::size_t bytes = length_at(cue, end);
            if (bytes == 0) continue;
            const ListSet measure = words_.measure_at(text_, end + bytes);
            if (measure > 1) return {bytes, digits, measure};
        }
        return {};
    }

    static void add_rest(NumberMention& mention, const Rest& rest) {
        if (rest.bytes == 0 || mention.digits.find('.') != std::string::npos) return;
        mention.kind = NumberKind::Quantity;
        mention.digits += rest.digits;
        mention.unit = rest.measure & ~ListSet{1};
        mention.end += rest.bytes;
    }

    /// The start of the word after the Latin one at `position`; 0 if there is none.
    std::size_t next_word(std::size_t position) const {
        std::size_t end = position + 1;
        while (end < text_.size() && !is_word_boundary(text_, end))
            ++end;
        return end + 1 < text_.size() && text_[end] == ' ' ? end + 1 : 0;
    }

    /// "three hours", "four-minute". A number word alone counts nothing that rules use.
    std::size_t read_word(std::size_t begin) {
        const WordMatch word = words_.numeral_at(text_, begin);
        if (word.lists == 0 || word.end >= text_.size()) return begin;
        const bool is_joined = text_[word.end] == '-' || text_[word.end] == ' ';
        ListSet measure = is_joined ? words_.measure_at(text_, word.end + 1) : 0;
        if (is_joined && measure == 0) {  // "ten edited pictures"
            const std::size_t next = next_word(word.end + 1);
            if (next != 0) measure = words_.measure_at(text_, next);
        }
        if (measure <= 1) return begin;
        NumberMention mention;
        mention.begin = begin;
        mention.end = word.end;
        mention.digits = std::to_string(word.lists);
        mention.unit = measure & ~ListSet{1};
        found_.push_back(mention);
        return mention.end;
    }

    bool has_currency_before(std::size_t begin) const {
        return !words_.currency_before(text_, begin, cues_).currency.empty();
    }

    void classify(NumberMention& mention, bool is_exact) {
        const std::size_t after = skip_space(text_, mention.end);
        if (length_at(Cue::DiscountUnit, mention.end) != 0 || starts_at(text_, after, "%") ||
            (after != mention.end && length_at(Cue::Percent, after) != 0)) {
            mention.kind = NumberKind::Discount;
            return;
        }
        const auto suffix = words_.currency_at(text_, after);
        const auto prefix = words_.currency_before(text_, mention.begin, cues_);
        const bool has_currency = !suffix.currency.empty() || !prefix.currency.empty();
        const std::size_t begin = mention.begin - prefix.length;
        const std::size_t end = suffix.currency.empty() ? mention.end : after + suffix.length;
        const bool is_raised = has_currency && is_increase(text_, begin, end, cues_);
        mention.is_reduction =
            (has_currency || !is_counted(mention, after)) && is_reduction(text_, begin, end, cues_);
        if (is_raised || mention.is_reduction) {
            mention.kind = NumberKind::Discount;
            return;
        }
        const bool has_minus = is_behind_minus(text_, mention.begin, cues_) ||
                               is_behind_minus(text_, mention.begin - prefix.length, cues_);
        if (suffix.currency.empty() && prefix.currency.empty()) {
            mention.kind = is_counted(mention, after) ? NumberKind::Quantity : NumberKind::Bare;
            mention.unit = words_.measure_at(text_, after) & ~ListSet{1};
            if (has_minus && mention.kind == NumberKind::Bare) mention.digits.insert(0, 1, '-');
            return;
        }
        mention.kind = NumberKind::Money;
        const WrittenAmount written{
            .text = text_,
            .begin = mention.begin,
            .end = mention.end,
            .before = trim(text_.substr(mention.begin - prefix.length, prefix.length)),
            .behind = text_.substr(after, suffix.length),
            .behind_at = after};
        mention.begin -= prefix.length;
        if (!suffix.currency.empty()) mention.end = after + suffix.length;
        mention.currency = std::string(suffix.currency.empty() ? prefix.currency : suffix.currency);
        // In "$300 HKD" the code makes the sign precise; "USD 300 CNY" is contradictory.
        const bool is_contradictory = !suffix.currency.empty() && !prefix.currency.empty() &&
                                      suffix.currency != prefix.currency &&
                                      !words_.may_mean(written.before, suffix.currency);
        // 三块五: the rest of the amount follows its unit. In 25元一天 it is the price of one.
        const bool goes_on = is_digit(text_, mention.end) || has_han_digit(mention.end);
        const bool is_rest = goes_on && cues_[Cue::Piece].is(written.behind) &&
                             words_.measure_at(text_, next_character(mention.end)) == 0;
        if (!is_exact || is_contradictory || has_minus || is_rest || is_digit(text_, mention.end))
            return;
        const auto money = parse_money(mention.digits, mention.currency);
        if (!money) return;
        (goes_on || is_doubtful(written, cues_) ? mention.doubtful : mention.money) = *money;
    }

    std::size_t next_character(std::size_t i) const {
        return i < text_.size() ? i + code_point_length(text_, i) : i;
    }

    bool has_han_digit(std::size_t i) const {
        if (i >= text_.size() || code_point_length(text_, i) != 3) return false;
        return std::any_of(kHanDigits.begin(), kHanDigits.end(),
                           [&](const auto& digit) { return starts_at(text_, i, digit.first); });
    }

    bool is_counted(const NumberMention& mention, std::size_t after) const {
        if (mention.digits.size() > kBareDigitsMax) return true;
        if (words_.measure_at(text_, after) != 0) return true;
        return !is_word_boundary(text_, mention.end);
    }

    std::size_t length_at(Cue cue, std::size_t position) const {
        return cues_[cue].length_at(text_.substr(std::min(position, text_.size())));
    }

    /// "-", 到, " to ".
    bool joins_range(std::string_view between) const {
        constexpr std::array<std::string_view, 10> kSigns = {"-",   "~",   "–", "—", " - ",
                                                             " ~ ", " – ", "+", "*", "×"};
        if (std::find(kSigns.begin(), kSigns.end(), between) != kSigns.end()) return true;
        const bool is_apart = between.starts_with(' ') && between.ends_with(' ');
        const std::string_view word = trim(between);
        return !word.empty() && begins_latin(word.front()) == is_apart &&
               cues_[Cue::RangeJoin].is(word);
    }

    /// Numbers that are joined, as in "200-300元" and "200+50元", are no amounts of their own.
    void mark_ranges() {
        for (std::size_t k = 0; k + 1 < found_.size(); ++k) {
            const std::string_view between = text_.substr(
                found_[k].end, std::max(found_[k + 1].begin, found_[k].end) - found_[k].end);
            if (!joins_range(between)) continue;
            const bool is_money =
                found_[k].kind == NumberKind::Money || found_[k + 1].kind == NumberKind::Money;
            for (NumberMention* mention : {&found_[k], &found_[k + 1]}) {
                mention->money.reset();
                mention->doubtful.reset();
                mention->kind = is_money ? NumberKind::Money : NumberKind::Quantity;
            }
        }
    }

    std::string_view text_;
    const MoneyWords& words_;
    const Cues& cues_;
    std::vector<NumberMention> found_;
    std::size_t points_ = 0;  ///< points numbered so far
};

}  // namespace

void MoneyWords::add_currency(std::string_view word, std::string_view currency) {
    auto code = std::find(codes_.begin(), codes_.end(), currency);
    if (code == codes_.end()) code = codes_.insert(codes_.end(), std::string(currency));
    words_.add(word, ListSet{1} << (code - codes_.begin()));
    if (ends_with_sign(word)) signs_.emplace_back(word, currency);
}

bool MoneyWords::may_mean(std::string_view sign, std::string_view currency) const {
    return std::any_of(signs_.begin(), signs_.end(), [&](const auto& known) {
        return known.first.ends_with(sign) && known.second == currency;
    });
}

bool MoneyWords::knows(std::string_view currency) const {
    return std::find(codes_.begin(), codes_.end(), currency) != codes_.end();
}

MoneyWords::Found MoneyWords::currency_at(std::string_view text, std::size_t position) const {
    // "300usd" has no space, so `longest_at` finds no boundary.
    const std::string_view rest = text.substr(std::min(position, text.size()));
    const WordMatch match = words_.longest_at(rest, 0);
    if (match.lists == 0) return {};
    return {codes_[static_cast<std::size_t>(__builtin_ctzll(match.lists))], match.end};
}

MoneyWords::Found MoneyWords::currency_before(std::string_view text, std::size_t position,
                                              const Cues& cues) const {
    const std::size_t to = position > 0 && text[position - 1] == ' ' ? position - 1 : position;
    const std::size_t from = to > kCurrencyWordBytesMax ? to - kCurrencyWordBytesMax : 0;
    for (std::size_t begin = from; begin < to; ++begin) {
        if (!is_word_boundary(text, begin)) continue;
        const WordMatch match = words_.longest_at(text.substr(begin, to - begin), 0);
        if (match.lists == 0 || match.end != to - begin) continue;
        if (stands_only_behind(text.substr(begin, to - begin), cues)) continue;
        const std::size_t code = static_cast<std::size_t>(__builtin_ctzll(match.lists));
        return {codes_[code], position - begin};
    }
    return {};
}

ListSet MoneyWords::measure_at(std::string_view text, std::size_t position) const {
    // "20p" has no space, so `longest_at` finds no boundary.
    return position < text.size() ? measures_.longest_at(text.substr(position), 0).lists : 0;
}

std::vector<NumberMention> find_numbers(std::string_view text, const MoneyWords& words,
                                        const Cues& cues) {
    return Finder(text, words, cues).all();
}

std::vector<NumberMention> find_numbers(std::string_view text, const Vocabulary& vocabulary) {
    return find_numbers(text, vocabulary.money, vocabulary.cues);
}

}  // namespace a2h::reading
