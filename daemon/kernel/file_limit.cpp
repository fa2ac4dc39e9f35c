#include "daemon/kernel/file_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace a2h::kernel {

void raise_file_limit() {
    constexpr rlim_t kFilesWanted = 4'096;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kFilesWanted) return;
    limit.rlim_cur = std::min(kFilesWanted, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace a2h::kernel
