#include "core/base/time_text.h"

#include <doctest/doctest.h>

TEST_CASE("envelope time is Beijing time with milliseconds") {
    CHECK(a2h::to_envelope_time(1760000000000) == "2025-10-09T16:53:20.000+08:00");
    CHECK(a2h::to_utc_time(1760000000000) == "2025-10-09T08:53:20Z");
}

TEST_CASE("ISO 8601 times are read with Z, offsets and fractions") {
    CHECK(a2h::parse_time("2025-10-09T16:53:20.000+08:00").value() == 1760000000000);
    CHECK(a2h::parse_time("2025-10-09T08:53:20Z").value() == 1760000000000);
    CHECK(a2h::parse_time("2025-10-09T03:53:20.5-05:00").value() == 1760000000500);
}

TEST_CASE("anything else is no time") {
    for (const char* text :
         {"", "now", "2025-13-01T00:00:00Z", "2025-02-30T00:00:00Z", "2025-01-01T25:00:00Z",
          "2025-01-01T00:00:00", "2025-01-01T00:00:00Zx", "2025-01-01T00:00:00+8"}) {
        CAPTURE(text);
        CHECK(!a2h::parse_time(text));
    }
}
