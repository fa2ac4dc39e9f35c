#pragma once

#include <string_view>
#include <vector>

#include "daemon/reading/amounts.h"

namespace a2h::reading {

/// Amounts in English words in `text` (comparable), in order: "eighty dollars", "twenty-six
/// hundred", "two-sixty". Without a currency only from twenty on, as `Bare`. Rules do not read
/// them; they are for finding out what a message does in a deal.
///
/// Thread:  any.
std::vector<NumberMention> find_spelled_amounts(std::string_view text,
                                                const Vocabulary& vocabulary);

}  // namespace a2h::reading
