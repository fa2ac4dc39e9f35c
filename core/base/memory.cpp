#include "core/base/memory.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace a2h {
namespace {

/// Only read-only segments, because a writable one would lose its relocations.
int release_segments(dl_phdr_info* object, std::size_t, void*) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        const std::uintptr_t from = begin & ~(page - 1);
        const std::uintptr_t to = (begin + segment.p_memsz) & ~(page - 1);
        // A refusal, as for the kernel's own page, does no harm.
        if (to > from) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
    }
    return 0;
}

}  // namespace

void release_start_memory() {
    ::malloc_trim(0);
    ::dl_iterate_phdr(release_segments, nullptr);
}

}  // namespace a2h
