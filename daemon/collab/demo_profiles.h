#pragma once

#include <cstdint>
#include <vector>

#include "core/domain/profile.h"

namespace a2h::collab {

/// Invented people for trials: of five, three are Chinese and two English, each with tags,
/// capabilities, interests, a place and an introduction. The same `seed` makes the same people.
/// Their ids are distinct mailboxes `ag_trial…` that nobody has.
///
/// Thread:  any.
std::vector<Profile> demo_profiles(int count, std::uint64_t seed);

}  // namespace a2h::collab
