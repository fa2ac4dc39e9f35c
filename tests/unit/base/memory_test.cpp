#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "core/base/memory.h"

namespace {

/// Pages of files that are mapped and resident.
long file_pages() {
    std::ifstream statm("/proc/self/statm");
    long size = 0;
    long resident = 0;
    long shared = 0;
    statm >> size >> resident >> shared;
    return shared;
}

}  // namespace

TEST_CASE("memory mapped at start is given back, and everything still runs") {
    const long before = file_pages();
    a2h::release_start_memory();
    CHECK(file_pages() < before);
    CHECK(std::to_string(12'345) + "!" == "12345!");
    CHECK_THROWS_AS(throw std::string("unwinding works"), std::string);
}
