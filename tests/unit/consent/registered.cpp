// The rows of all features, as in a2hd: what mandates can be about is theirs to say.
#include "daemon/app/features.h"

namespace {

[[maybe_unused]] const bool kRegistered = (a2h::register_features(), true);

}  // namespace
