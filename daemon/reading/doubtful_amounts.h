#pragma once

#include <cstddef>
#include <string_view>

#include "daemon/reading/cues.h"

namespace a2h::reading {

/// A number beside a currency word, as it stands in comparable text.
struct WrittenAmount {
    std::string_view text;
    std::size_t begin = 0;  ///< of the number
    std::size_t end = 0;
    std::string_view before;    ///< the currency word before the number; may be empty
    std::string_view behind;    ///< the one behind it; may be empty
    std::size_t behind_at = 0;  ///< where `behind` begins
};

/// Whether the currency word may mean something else there, so that the number is no figure to
/// agree to: 块 before what is counted, 元 as a part of a word, pounds that are weighed, a year.
bool is_doubtful(const WrittenAmount& amount, const Cues& cues);

/// Whether nobody writes `word` before a number: 元 and 块 there end another word (单元9).
bool stands_only_behind(std::string_view word, const Cues& cues);

/// Whether what stands in `text` from `begin` to `end` is how much cheaper something gets, and not
/// what it costs then: 便宜30元, "30 CNY off".
bool is_reduction(std::string_view text, std::size_t begin, std::size_t end, const Cues& cues);

}  // namespace a2h::reading
