#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace a2h {
namespace {

std::string failure(const std::filesystem::path& file) {
    return file.string() + ": " + std::strerror(errno);
}

/// `path` from the root, without links, `..` and a slash at its end, as far as it exists.
Result<std::filesystem::path> real_path(const std::filesystem::path& path) {
    std::error_code error;
    auto real = std::filesystem::absolute(path, error);
    if (!error) real = std::filesystem::weakly_canonical(real, error);
    if (error) {
        return fail(ErrorCode::Unavailable,
                    "cannot resolve " + path.string() + ": " + error.message());
    }
    return real.has_filename() ? real : real.parent_path();
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

Result<bool> is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
    A2H_ASSIGN_OR_RETURN(const auto inner, real_path(path));
    A2H_ASSIGN_OR_RETURN(const auto outer, real_path(folder));
    const auto [end, ignored] =
        std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return end == outer.end();
}

}  // namespace a2h
