#include "daemon/health/process_use.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace a2h::health {
namespace {

std::chrono::microseconds duration_of(const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

std::int64_t resident_bytes() {
    std::int64_t size = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

/// One of them is the descriptor of this directory itself.
std::int64_t open_files() {
    std::error_code error;
    std::int64_t count = 0;
    for (std::filesystem::directory_iterator file("/proc/self/fd", error), end;
         !error && file != end; file.increment(error))
        ++count;
    return count > 0 ? count - 1 : 0;
}

}  // namespace

ProcessUse read_process_use() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {duration_of(usage.ru_utime) + duration_of(usage.ru_stime), resident_bytes(),
            open_files()};
}

}  // namespace a2h::health
