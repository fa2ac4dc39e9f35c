#pragma once

#include <cstdint>
#include <vector>

#include "core/domain/profile.h"

namespace a2h::collab {

/// People who do not exist, for trials: three Chinese and two English of five, each with tags,
/// capabilities, interests, a place and an introduction. The same `seed` makes the same ones; ids
/// are mailboxes `ag_trial…` that nobody has, each once. Thread: any.
std::vector<Profile> demo_profiles(int count, std::uint64_t seed);

}  // namespace a2h::collab
