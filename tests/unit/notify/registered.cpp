// The rows of all features, as in a2hd: how their news are worded is theirs to say.
#include "daemon/app/features.h"

namespace {

[[maybe_unused]] const bool kRegistered = (a2h::register_features(), true);

}  // namespace
