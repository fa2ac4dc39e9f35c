#include "daemon/mail/dispatcher.h"

#include <doctest/doctest.h>

using a2h::mail::Dispatcher;

TEST_CASE("R6: retries wait 2, 4, 8 … 120 s with a fifth of jitter") {
    using std::chrono::milliseconds;
    CHECK(Dispatcher::retry_delay(0, 0) == milliseconds(2'000));
    CHECK(Dispatcher::retry_delay(1, 0) == milliseconds(4'000));
    CHECK(Dispatcher::retry_delay(5, 0) == milliseconds(64'000));
    CHECK(Dispatcher::retry_delay(6, 0) == milliseconds(120'000));
    CHECK(Dispatcher::retry_delay(1'000, 0) == milliseconds(120'000));
    CHECK(Dispatcher::retry_delay(0, 1) == milliseconds(2'400));
    CHECK(Dispatcher::retry_delay(0, -1) == milliseconds(1'600));
}
