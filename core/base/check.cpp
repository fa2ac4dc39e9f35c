#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace a2h {

void check_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "<2>Check failed: %s at %s:%d\n", condition, file, line);
    std::abort();
}

}  // namespace a2h
