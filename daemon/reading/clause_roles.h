#pragma once

#include "daemon/reading/reading.h"

namespace a2h::reading {

/// Determines the role of each clause of a peer's message, and removes meanings that ask nothing of
/// us: what the peer tells of its own life ("I'm presenting on Friday"), postpones ("I'll see
/// whether my team is free"), corrects ("the piano... sorry, the lessons") or signs with. Words
/// that would bind keep their meaning in clauses that address us, want something or name a day by
/// which it is due. Only for peers' texts; our own words are judged as they are.
void find_roles(Reading& reading, const Vocabulary& vocabulary);

}  // namespace a2h::reading
