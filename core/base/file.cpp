#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace a2h {
namespace {

std::string failure(const std::filesystem::path& file) {
    return file.string() + ": " + std::strerror(errno);
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    if (!in) return fail(ErrorCode::Unavailable, "cannot read " + failure(file));
    return content.str();
}

Result<void> write_file(const std::filesystem::path& file, std::string_view content, mode_t mode) {
    const std::filesystem::path draft = file.string() + ".new";
    const int fd = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0) return fail(ErrorCode::Unavailable, "cannot write " + failure(draft));
    const bool written =
        ::fchmod(fd, mode) == 0 &&  // independent of the umask
        ::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()) &&
        ::fsync(fd) == 0;
    ::close(fd);
    if (!written || ::rename(draft.c_str(), file.c_str()) != 0) {
        return fail(ErrorCode::Unavailable, "cannot write " + failure(file));
    }
    return {};
}

}  // namespace a2h
