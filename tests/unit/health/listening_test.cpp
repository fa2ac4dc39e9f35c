#include "daemon/health/listening.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace a2h;
using std::chrono::milliseconds;

TEST_CASE(
    "by default a subscription that died is noticed within two minutes, and told soon after") {
    ::unsetenv("A2H_CANARY_INTERVAL_MS");
    ::unsetenv("A2H_CANARY_PATIENCE_MS");
    const auto options = health::listening_options();
    // It dies right behind a message that came right behind a look: the next look sees that
    // message, the one after it sends a canary, and two of them are waited for.
    CHECK(2 * options.interval + 2 * options.patience <= std::chrono::minutes(2));
    CHECK(options.interval > options.patience);
}

TEST_CASE("invalid durations leave the defaults") {
    const health::ListeningOptions defaults;
    for (const char* wrong : {"", "soon", "-5", "0", "10s"}) {
        ::setenv("A2H_CANARY_INTERVAL_MS", wrong, 1);
        CHECK(health::listening_options().interval == defaults.interval);
    }
    ::setenv("A2H_CANARY_INTERVAL_MS", "250", 1);
    CHECK(health::listening_options().interval == milliseconds(250));
    ::unsetenv("A2H_CANARY_INTERVAL_MS");
}
