// Preloaded into a program under test: while the file that A2H_TEST_DISK_FULL names exists, no file
// can grow. That is how a full disk looks to SQLite, and it needs neither root nor a small disk.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

bool is_full() {
    const char* switch_file = std::getenv("A2H_TEST_DISK_FULL");
    return switch_file != nullptr && ::access(switch_file, F_OK) == 0;
}

bool would_grow(int fd, off64_t end) {
    struct stat status {};
    return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && end > status.st_size;
}

}  // namespace

extern "C" ssize_t write(int fd, const void* data, size_t size) {
    const off64_t at = fd > STDERR_FILENO ? ::lseek64(fd, 0, SEEK_CUR) : -1;
    if (at >= 0 && would_grow(fd, at + static_cast<off64_t>(size)) && is_full()) {
        errno = ENOSPC;
        return -1;
    }
    return ::syscall(SYS_write, fd, data, size);
}

extern "C" ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
    if (would_grow(fd, offset + static_cast<off64_t>(size)) && is_full()) {
        errno = ENOSPC;
        return -1;
    }
    return ::syscall(SYS_pwrite64, fd, data, size, offset);
}
