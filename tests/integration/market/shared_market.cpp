#include "tests/integration/market/shared_market.h"

#include "tests/support/temp_dir.h"

namespace a2h::test {

Market& server() {
    static TempDir dir;
    static Market running(dir.path(), {"--address-rate", "0"});
    return running;
}

}  // namespace a2h::test
