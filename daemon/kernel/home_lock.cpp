#include "daemon/kernel/home_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace a2h {
namespace {

std::string read_owner(int descriptor) {
    char buffer[32] = {};
    const ssize_t got = ::pread(descriptor, buffer, sizeof buffer - 1, 0);
    std::string owner(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!owner.empty() && owner.back() == '\n')
        owner.pop_back();
    return owner.empty() ? "unknown" : owner;
}

}  // namespace

Result<std::unique_ptr<HomeLock>> HomeLock::take(const std::filesystem::path& lock_file) {
    Fd file(::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file) {
        return fail(ErrorCode::Unavailable,
                    "cannot open " + lock_file.string() + ": " + std::strerror(errno));
    }
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        return fail(ErrorCode::Conflict,
                    "another a2hd (process " + read_owner(file.get()) + ") serves this home");
    }
    const std::string own = std::to_string(::getpid()) + "\n";
    if (::ftruncate(file.get(), 0) != 0 ||
        ::pwrite(file.get(), own.data(), own.size(), 0) != static_cast<ssize_t>(own.size())) {
        // The lock is held nevertheless; only the process id is missing from the file.
    }
    return std::unique_ptr<HomeLock>(new HomeLock(std::move(file)));
}

std::string HomeLock::owner(const std::filesystem::path& lock_file) {
    const Fd file(::open(lock_file.c_str(), O_RDONLY | O_CLOEXEC));
    return read_owner(file.get());
}

}  // namespace a2h
