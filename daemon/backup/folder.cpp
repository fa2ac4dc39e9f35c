#include "daemon/backup/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/base/fd.h"

namespace a2h::backup {
namespace {

Unexpected file_failed(const std::string& doing, int error) {
    ErrorCode code = ErrorCode::Unavailable;
    if (error == ENOSPC || error == EDQUOT || error == EFBIG) code = ErrorCode::ResourceExhausted;
    if (error == EACCES || error == EPERM || error == EROFS) code = ErrorCode::PermissionDenied;
    if (error == EEXIST) code = ErrorCode::Conflict;
    if (error == ENOENT) code = ErrorCode::NotFound;
    return fail(code, doing + ": " + std::strerror(error));
}

Result<void> write_all(const Fd& to, std::string_view text, const std::filesystem::path& file) {
    while (!text.empty()) {
        const ssize_t written = ::write(to.get(), text.data(), text.size());
        if (written < 0 && errno != EINTR) return file_failed("writing " + file.string(), errno);
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> flush_fd(const Fd& fd, const std::filesystem::path& file) {
    if (::fsync(fd.get()) == 0) return {};
    return file_failed("flushing " + file.string(), errno);
}

Result<Fd> open_new(const std::filesystem::path& file) {
    Fd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (fd) return fd;
    return file_failed("writing " + file.string(), errno);
}

}  // namespace

Result<void> write_durable(const std::filesystem::path& file, std::string_view text) {
    A2H_ASSIGN_OR_RETURN(const auto fd, open_new(file));
    A2H_TRY(write_all(fd, text, file));
    return flush_fd(fd, file);
}

Result<void> copy_durable(const std::filesystem::path& from, const std::filesystem::path& to) {
    const Fd source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!source || ::fstat(source.get(), &status) != 0)
        return file_failed("reading " + from.string(), errno);
    if (!S_ISREG(status.st_mode)) return invalid(from.string() + " is not a regular file");
    A2H_ASSIGN_OR_RETURN(const auto target, open_new(to));
    std::string buffer(256 * 1024, '\0');
    while (true) {
        const ssize_t got = ::read(source.get(), buffer.data(), buffer.size());
        if (got < 0 && errno != EINTR) return file_failed("reading " + from.string(), errno);
        if (got == 0) break;
        if (got < 0) continue;
        A2H_TRY(write_all(target, {buffer.data(), static_cast<std::size_t>(got)}, to));
    }
    return flush_fd(target, to);
}

Result<std::string> read_whole(const std::filesystem::path& file, std::size_t bytes_max) {
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) return file_failed("reading " + file.string(), errno);
    std::string text;
    char buffer[16 * 1024];
    while (text.size() <= bytes_max) {
        const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
        if (got < 0) return file_failed("reading " + file.string(), errno);
        if (got == 0) return text;
        text.append(buffer, static_cast<std::size_t>(got));
    }
    return invalid(file.string() + " is too large");
}

Result<void> flush_folder(const std::filesystem::path& folder) {
    const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return file_failed("opening " + folder.string(), errno);
    return flush_fd(fd, folder);
}

Result<void> make_new_folder(const std::filesystem::path& folder) {
    if (::mkdir(folder.c_str(), 0700) == 0) return {};
    return file_failed("making " + folder.string(), errno);
}

Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0)
        return file_failed("renaming " + from.string() + " to " + to.string(), errno);
    A2H_TRY(flush_folder(to.parent_path()));
    return from.parent_path() == to.parent_path() ? Result<void>()
                                                  : flush_folder(from.parent_path());
}

}  // namespace a2h::backup
