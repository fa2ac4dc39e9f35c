// The function that libFuzzer calls; A2H_FUZZ_TARGET is one of targets.h.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    a2h::fuzz::A2H_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
