// Preloaded into a program under test: the file that A2H_TEST_DISK names says how operations on
// every regular file fail. "full": no file can grow; "error": writing and flushing fail;
// "read-only": writing is not allowed; "slow": a flush takes 100 ms. SQLite sees the same as with a
// bad disk, and neither root nor a disk is needed.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace {

constexpr useconds_t kSlowFlushUs = 100'000;

enum class Fault { None, Full, Error, ReadOnly, Slow };

/// Reads without any function that could call our own `write`.
Fault fault() {
    const char* path = std::getenv("A2H_TEST_DISK");
    if (path == nullptr) return Fault::None;
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return Fault::None;
    char word[16] = {};
    const ssize_t size = ::read(fd, word, sizeof word);
    ::close(fd);
    const std::string_view name(word, size > 0 ? static_cast<std::size_t>(size) : 0);
    if (name == "full") return Fault::Full;
    if (name == "error") return Fault::Error;
    if (name == "read-only") return Fault::ReadOnly;
    return name == "slow" ? Fault::Slow : Fault::None;
}

/// The errno with which a write up to `end` fails; 0: it does not fail.
int write_fault(int fd, off64_t end) {
    struct stat status {};
    if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    switch (fault()) {
        case Fault::Full:
            return end > status.st_size ? ENOSPC : 0;
        case Fault::Error:
            return EIO;
        case Fault::ReadOnly:
            return EROFS;
        case Fault::Slow:
        case Fault::None:
            return 0;
    }
    return 0;
}

int flush(int fd, long call) {
    const Fault present = fault();
    if (present == Fault::Slow) ::usleep(kSlowFlushUs);
    if (present == Fault::Error) {
        errno = EIO;
        return -1;
    }
    return static_cast<int>(::syscall(call, fd));
}

}  // namespace

extern "C" ssize_t write(int fd, const void* data, size_t size) {
    const off64_t at = fd > STDERR_FILENO ? ::lseek64(fd, 0, SEEK_CUR) : -1;
    const int failed = at >= 0 ? write_fault(fd, at + static_cast<off64_t>(size)) : 0;
    if (failed != 0) {
        errno = failed;
        return -1;
    }
    return ::syscall(SYS_write, fd, data, size);
}

extern "C" ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
    const int failed = write_fault(fd, offset + static_cast<off64_t>(size));
    if (failed != 0) {
        errno = failed;
        return -1;
    }
    return ::syscall(SYS_pwrite64, fd, data, size, offset);
}

extern "C" int fdatasync(int fd) {
    return flush(fd, SYS_fdatasync);
}

extern "C" int fsync(int fd) {
    return flush(fd, SYS_fsync);
}
