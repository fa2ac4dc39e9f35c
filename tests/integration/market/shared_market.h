#pragma once

#include "tests/support/market.h"

namespace a2h::test {

/// The one market of a test program.
Market& server();

}  // namespace a2h::test
