#include "cli/settings_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

namespace a2h::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kSettingsBytesMax = 4 * 1024 * 1024;
constexpr mode_t kNewFileMode = 0600;

Unexpected cannot(const std::string& what, const fs::path& file, int error) {
    return fail(ErrorCode::Unavailable,
                file.string() + " cannot be " + what + ": " + std::strerror(error));
}

/// Writes `text` to a new file beside `file` and returns its name.
Result<fs::path> write_beside(const fs::path& file, const std::string& text, mode_t mode) {
    std::string name = file.string() + ".XXXXXX";
    const int fd = ::mkstemp(name.data());
    if (fd < 0) return cannot("written", file, errno);
    bool ok = ::fchmod(fd, mode) == 0;
    for (std::size_t done = 0; ok && done < text.size();) {
        const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
        ok = count > 0 || (count < 0 && errno == EINTR);
        if (count > 0) done += static_cast<std::size_t>(count);
    }
    ok = ok && ::fsync(fd) == 0;
    const int error = errno;
    ok = ::close(fd) == 0 && ok;
    if (ok) return fs::path(name);
    ::unlink(name.c_str());
    return cannot("written", file, error);
}

Result<void> put(const fs::path& file, const std::string& text, mode_t mode) {
    A2H_ASSIGN_OR_RETURN(const auto written, write_beside(file, text, mode));
    if (::rename(written.c_str(), file.c_str()) == 0) return {};
    const int error = errno;
    ::unlink(written.c_str());
    return cannot("replaced", file, error);
}

/// `file` itself, or the target of the link.
fs::path followed(const fs::path& file) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(file, error);
    return error ? file : real;
}

}  // namespace

Result<std::string> read_settings(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return std::string();
    if (!fs::is_regular_file(file, error)) {
        return fail(ErrorCode::InvalidArgument, file.string() + " is not a file");
    }
    if (fs::file_size(file, error) > kSettingsBytesMax) {
        return fail(ErrorCode::InvalidArgument, file.string() + " has more than 4 MiB");
    }
    std::ostringstream text;
    std::ifstream in(file, std::ios::binary);
    text << in.rdbuf();
    if (!in) return cannot("read", file, EACCES);
    return text.str();
}

Result<fs::path> replace_settings(const fs::path& file, const std::string& before,
                                  const std::string& after) {
    const fs::path real = followed(file);
    std::error_code error;
    fs::create_directories(real.parent_path(), error);
    if (error) return cannot("written", file, error.value());
    struct stat status {};
    const bool exists = ::stat(real.c_str(), &status) == 0;
    const mode_t mode = exists ? status.st_mode & 07777 : kNewFileMode;
    fs::path backup;
    if (exists) {
        backup = file.string() + ".a2h-backup";
        A2H_TRY(put(backup, before, mode));
    }
    A2H_ASSIGN_OR_RETURN(const auto now, read_settings(real));
    if (now != before) {
        return fail(ErrorCode::Conflict,
                    file.string() + " was changed by another program in the meantime");
    }
    A2H_TRY(put(real, after, mode));
    return backup;
}

}  // namespace a2h::cli
