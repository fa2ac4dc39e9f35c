#pragma once

#include "daemon/reading/knowledge.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// True if `number` counts something that no listing states. Numbers that are an amount of money,
/// slang (88), of the peer's own life or within a limit of a listing are known.
///
/// Thread:  any.
bool is_unknown_quantity(const Reading& reading, const NumberMention& number,
                         const Knowledge& knowledge, const Vocabulary& vocabulary);

}  // namespace a2h::reading
