#pragma once

#include "daemon/reading/knowledge.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

// Questions with alternatives. Of two alternatives only one must be known.
//
// Thread:  any.

/// "Logo or full branding?", 线上还是线下: a question with alternatives is answered by what the
/// listings say about one of them. Returns the part of `clause` that they contain, or all of it.
Clause known_side(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const Vocabulary& vocabulary);

/// Removes binding words of `clause` outside `side`, because they were only an alternative.
void drop_unchosen(Reading& reading, const Clause& clause, const Clause& side,
                   const Vocabulary& vocabulary);

/// "Is it unlimited? Or is there a cap?": the same for alternatives in two clauses. The one that
/// listings do not contain is not asked for, nor is the word that the alternatives explain:
/// 什么风格，简单还是复杂.
void settle_alternatives(Reading& reading, const Knowledge& knowledge,
                         const Vocabulary& vocabulary);

}  // namespace a2h::reading
