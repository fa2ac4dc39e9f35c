#include "core/base/time_text.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <string>

TEST_CASE("envelope time is Beijing time with milliseconds") {
    CHECK(a2h::to_envelope_time(1760000000000) == "2025-10-09T16:53:20.000+08:00");
    CHECK(a2h::to_utc_time(1760000000000) == "2025-10-09T08:53:20Z");
}

TEST_CASE("ISO 8601 times are read with Z, offsets and fractions") {
    CHECK(a2h::parse_time("2025-10-09T16:53:20.000+08:00").value() == 1760000000000);
    CHECK(a2h::parse_time("2025-10-09T08:53:20Z").value() == 1760000000000);
    CHECK(a2h::parse_time("2025-10-09T03:53:20.5-05:00").value() == 1760000000500);
}

TEST_CASE("other texts are not times") {
    for (const char* text :
         {"", "now", "2025-13-01T00:00:00Z", "2025-02-30T00:00:00Z", "2025-01-01T25:00:00Z",
          "2025-01-01T00:00:00", "2025-01-01T00:00:00Zx", "2025-01-01T00:00:00+8",
          "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z"}) {
        CAPTURE(text);
        CHECK(!a2h::parse_time(text));
    }
}

TEST_CASE("a day or a time with any other word is refused") {
    CHECK(a2h::parse_day_or_time("2026-12-01").value() ==
          a2h::parse_time("2026-12-01T00:00:00Z").value());
    CHECK(a2h::parse_day_or_time("2026-12-01T18:00:00+08:00"));
    for (const char* other : {"", "soon", "2026-13-01", "2026-12-1", "2026-12-01T18:00",
                              "2026-12-01, and 900 CNY", "24 h"}) {
        CAPTURE(std::string(other));
        CHECK_FALSE(a2h::parse_day_or_time(other));
    }
}

TEST_CASE("local time names its offset") {
    const char* before = std::getenv("TZ");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TZ", "Asia/Shanghai", 1);
    ::tzset();
    CHECK(a2h::to_local_time(1760000000000) == "2025-10-09 16:53 +08:00");
    ::setenv("TZ", "<-0330>3:30", 1);
    ::tzset();
    CHECK(a2h::to_local_time(1760000000000) == "2025-10-09 05:23 -03:30");
    kept.empty() ? ::unsetenv("TZ") : ::setenv("TZ", kept.c_str(), 1);
    ::tzset();
}
