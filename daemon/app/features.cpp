#include "daemon/app/features.h"

#include "daemon/collab/consent.h"
#include "daemon/house/tasks.h"

namespace a2h {

void register_features() {
    agents::register_actions();
    demand::register_actions();
}

}  // namespace a2h
