#pragma once

#include <chrono>
#include <cstdint>

namespace a2h::health {

/// What this process uses of the machine; 0 where the machine does not tell.
struct ProcessUse {
    std::chrono::microseconds cpu{};  ///< of all threads, since it was started
    std::int64_t resident_bytes = 0;
    std::int64_t open_files = 0;
};

/// Source: proc(5), getrusage(2). Thread: any.
ProcessUse read_process_use();

}  // namespace a2h::health
