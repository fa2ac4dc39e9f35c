#pragma once

#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// The one market of a test program, without limits to how often it is asked.
inline Market& server() {
    static TempDir dir;
    static Market running(dir.path(), {"--agent-rate", "0", "--address-rate", "0"});
    return running;
}

}  // namespace a2h::test
