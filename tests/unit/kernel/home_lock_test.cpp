#include "daemon/kernel/home_lock.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "tests/support/temp_dir.h"

TEST_CASE("a home is held by one at a time, and free again afterwards") {
    const a2h::test::TempDir dir;
    const auto file = dir.path() / "a2hd.pid";
    {
        const auto first = a2h::HomeLock::take(file);
        REQUIRE(first);
        const auto second = a2h::HomeLock::take(file);
        REQUIRE(!second);
        CHECK(second.error().code == a2h::ErrorCode::Conflict);
        CHECK(second.error().message.find(std::to_string(::getpid())) != std::string::npos);
    }
    CHECK(a2h::HomeLock::take(file));
}

TEST_CASE("a lock file that cannot be written is Unavailable") {
    const auto lock = a2h::HomeLock::take("/nonexistent/a2hd.pid");
    REQUIRE(!lock);
    CHECK(lock.error().code == a2h::ErrorCode::Unavailable);
}
