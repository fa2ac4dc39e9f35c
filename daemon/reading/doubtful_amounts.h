#pragma once

#include <cstddef>
#include <string_view>

#include "daemon/reading/cues.h"

namespace a2h::reading {

/// A number beside a currency word in comparable text.
struct WrittenAmount {
    std::string_view text;
    std::size_t begin = 0;  ///< position of the number
    std::size_t end = 0;
    std::string_view before;    ///< the currency word before the number; may be empty
    std::string_view behind;    ///< the currency word after it; may be empty
    std::size_t behind_at = 0;  ///< position of `behind`
};

/// Whether the currency word may have another meaning, so that the number is not an amount to agree
/// to: 块 before something counted, 元 as part of a word, pounds as a weight, a year.
bool is_doubtful(const WrittenAmount& amount, const Cues& cues);

/// Whether `word` is never written before a number: there 元 and 块 end another word (单元9).
bool stands_only_behind(std::string_view word, const Cues& cues);

/// Whether a minus stands before `position`: "-270", "negative 270", 负270. A hyphen after a digit
/// is none: it joins a range.
bool is_behind_minus(std::string_view text, std::size_t position, const Cues& cues);

/// Whether the text from `begin` to `end` states an increase and not a price: 再加5元, "5 CNY
/// more".
bool is_increase(std::string_view text, std::size_t begin, std::size_t end, const Cues& cues);

/// Whether the text from `begin` to `end` states a reduction and not a price: 便宜30元, "30 CNY
/// off".
bool is_reduction(std::string_view text, std::size_t begin, std::size_t end, const Cues& cues);

}  // namespace a2h::reading
