#include "core/http/body_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace a2h::http {

int OutgoingFile::open(const std::filesystem::path& path) {
    file_.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file_ || ::fstat(file_.get(), &status) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return EINVAL;
    left_ = static_cast<std::uint64_t>(status.st_size);
    return 0;
}

void OutgoingFile::narrow(const ByteRange& range) {
    at_ = range.first;
    left_ = range.count;
}

std::ptrdiff_t OutgoingFile::read(std::span<char> buffer) {
    const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), left_);
    if (wanted == 0) return 0;
    const ssize_t count = ::pread(file_.get(), buffer.data(), wanted, static_cast<off_t>(at_));
    if (count <= 0) return -1;
    at_ += static_cast<std::uint64_t>(count);
    left_ -= static_cast<std::uint64_t>(count);
    return count;
}

IncomingFile::~IncomingFile() {
    close();
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

int IncomingFile::create(const std::filesystem::path& path) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor_ < 0) return errno;
    path_ = path;
    return 0;
}

int IncomingFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

int IncomingFile::close() {
    const int descriptor = std::exchange(descriptor_, -1);
    return descriptor >= 0 && ::close(descriptor) != 0 ? errno : 0;
}

}  // namespace a2h::http
