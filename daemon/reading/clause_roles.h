#pragma once

#include "daemon/reading/reading.h"

namespace a2h::reading {

/// Finds out what each clause of a peer's message is there for, and takes back what does not ask
/// anything of us: what it tells of its own life ("I'm presenting on Friday"), puts off ("I'll see
/// whether my team is free"), corrects ("the piano... sorry, the lessons") or signs with. Words
/// that would bind keep their meaning wherever the clause speaks to us, wants something or names a
/// day by which it is to be done.
/// For what peers write only: our own words are judged as they stand.
void find_roles(Reading& reading, const Vocabulary& vocabulary);

}  // namespace a2h::reading
