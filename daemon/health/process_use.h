#pragma once

#include <chrono>
#include <cstdint>

namespace a2h::health {

/// The resources that this process uses; 0 if the system does not report a value.
struct ProcessUse {
    std::chrono::microseconds cpu{};  ///< of all threads, since the start
    std::int64_t resident_bytes = 0;
    std::int64_t open_files = 0;
};

/// Source: proc(5), getrusage(2). Thread: any.
ProcessUse read_process_use();

}  // namespace a2h::health
