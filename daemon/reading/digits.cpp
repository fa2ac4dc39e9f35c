#include "daemon/reading/digits.h"

#include <algorithm>
#include <array>

#include "daemon/reading/lexicon.h"

namespace a2h::reading {
namespace {

constexpr std::size_t kGroup = 3;
constexpr std::string_view kGroupMarks = ",.' ";
/// Characters that separate the digits of one number in some countries, or of a date.
constexpr std::array<std::string_view, 12> kGlue = {",", ".", "'", ":", "/", "_",
                                                    "`", "´", "·", "٫", "٬", "⁄"};
constexpr std::array<std::string_view, 5> kUnitsInDigits = {"十", "百", "千", "万", "亿"};

std::size_t count_digits(std::string_view text, std::size_t i) {
    std::size_t count = 0;
    while (is_digit(text, i + count))
        ++count;
    return count;
}

std::size_t glue_at(std::string_view text, std::size_t i) {
    for (const std::string_view glue : kGlue) {
        if (starts_at(text, i, glue) && is_digit(text, i + glue.size())) return glue.size();
    }
    return 0;
}

class Reader {
  public:
    Reader(std::string_view text, std::size_t begin) : text_(text), begin_(begin), i_(begin) {}

    DigitRun read() {
        const std::size_t first = take_digits();
        const char mark = i_ < text_.size() ? text_[i_] : '\0';
        std::size_t groups = 0;
        if (first <= kGroup && text_[begin_] != '0' &&
            kGroupMarks.find(mark) != std::string_view::npos) {
            groups = take_groups(mark);
        }
        const bool has_decimals = take_decimals(groups == 0 ? '\0' : mark);
        if (is_behind_point()) run_.kind = DigitRun::Kind::Unknown;
        // "1.200" alone is ambiguous; decimals or a second group after it would decide.
        if (groups == 1 && mark == '.' && !has_decimals) run_.kind = DigitRun::Kind::Unknown;
        // "250 300 CNY" may be one number or two.
        if (run_.has_space && first == kGroup) run_.kind = DigitRun::Kind::Unknown;
        take_rest();
        run_.end = i_;
        if (run_.kind != DigitRun::Kind::Decimal) run_.digits = text_.substr(begin_, i_ - begin_);
        return std::move(run_);
    }

  private:
    /// ".300" is less than one and not 300.
    bool is_behind_point() const {
        if (begin_ == 0 || (text_[begin_ - 1] != '.' && text_[begin_ - 1] != ',')) return false;
        return begin_ == 1 || text_[begin_ - 2] == ' ' || text_[begin_ - 2] == '\n';
    }

    std::size_t take_digits() {
        const std::size_t count = count_digits(text_, i_);
        run_.digits += text_.substr(i_, count);
        i_ += count;
        return count;
    }

    std::size_t take_groups(char mark) {
        std::size_t groups = 0;
        while (starts_at(text_, i_, {&mark, 1}) && count_digits(text_, i_ + 1) == kGroup) {
            ++i_;
            take_digits();
            ++groups;
        }
        run_.has_space = groups != 0 && mark == ' ';
        return groups;
    }

    bool take_decimals(char group_mark) {
        const std::size_t count = count_digits(text_, i_ + 1);
        if (i_ >= text_.size() || count == 0 || text_[i_] == group_mark) return false;
        const bool is_comma = text_[i_] == ',' && count < kGroup;
        if (text_[i_] != '.' && !is_comma) return false;
        run_.has_decimal_comma = is_comma;
        run_.digits += '.';
        ++i_;
        take_digits();
        return true;
    }

    /// What follows directly changes the number, or makes it none.
    void take_rest() {
        while (const std::size_t glue = glue_at(text_, i_)) {
            const bool is_date = text_[i_] == ':' || text_[i_] == '/';
            if (is_date) {
                run_.kind = DigitRun::Kind::Date;
            } else if (run_.kind == DigitRun::Kind::Decimal) {
                run_.kind = DigitRun::Kind::Unknown;
            }
            i_ += glue;
            take_digits();
        }
    }

    std::string_view text_;
    std::size_t begin_;
    std::size_t i_;
    DigitRun run_;
};

/// "1.5" times ten to the power of `power`, as decimal text without leading zeros.
std::string shifted(std::string digits, std::size_t power) {
    std::size_t point = digits.find('.');
    if (point == std::string::npos) {
        point = digits.size();
    } else {
        digits.erase(point, 1);
    }
    while (digits.size() < point + power) {
        digits += '0';
    }
    point += power;
    if (point < digits.size()) digits.insert(point, 1, '.');
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos || first >= point)
        return digits.substr(std::min(point, digits.size()) - 1);
    return digits.substr(first);
}

struct Multiplier {
    std::string_view word;
    std::size_t power;
};
constexpr std::array<Multiplier, 5> kMultipliers = {
    {{"k", 3}, {"w", 4}, {"百", 2}, {"千", 3}, {"万", 4}}};

std::size_t han_unit_at(std::string_view text, std::size_t i) {
    for (const std::string_view unit : kUnitsInDigits) {
        if (starts_at(text, i, unit)) return unit.size();
    }
    return 0;
}

/// 12万5千, 1百万: the end of the mixed numeral.
std::size_t end_of_mixed(std::string_view text, std::size_t end) {
    while (true) {
        const std::size_t more =
            is_digit(text, end) ? count_digits(text, end) : han_unit_at(text, end);
        if (more == 0) return end;
        end += more;
    }
}

}  // namespace

DigitRun read_digits(std::string_view text, std::size_t begin) {
    return Reader(text, begin).read();
}

void read_multiplier(std::string_view text, std::size_t begin, DigitRun& run) {
    for (const Multiplier& multiplier : kMultipliers) {
        const std::size_t end = run.end + multiplier.word.size();
        if (!starts_at(text, run.end, multiplier.word)) continue;
        const bool is_han = multiplier.word.size() != 1;
        if (!is_han && !is_word_boundary(text, end)) continue;
        run.end = is_han ? end_of_mixed(text, end) : end;
        if (run.end != end) run.kind = DigitRun::Kind::Unknown;
        run.digits = run.kind == DigitRun::Kind::Decimal
                         ? shifted(run.digits, multiplier.power)
                         : std::string(text.substr(begin, run.end - begin));
        return;
    }
}

bool is_behind_han_unit(std::string_view text, std::size_t begin) {
    return std::any_of(kUnitsInDigits.begin(), kUnitsInDigits.end(), [&](std::string_view unit) {
        return begin >= unit.size() && starts_at(text, begin - unit.size(), unit);
    });
}

}  // namespace a2h::reading
