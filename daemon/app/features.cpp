#include "daemon/app/features.h"

#include "daemon/collab/consent.h"
#include "daemon/house/tasks.h"
#include "daemon/trade/actions.h"

namespace a2h {

void register_features() {
    house::register_actions();
    collab::register_actions();
    trade::register_actions();
}

}  // namespace a2h
