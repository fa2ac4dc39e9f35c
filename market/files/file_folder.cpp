#include "market/files/file_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "core/base/fd.h"
#include "core/base/ids.h"

namespace a2h::market {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUploadsPrefix = "uploads-";
constexpr std::chrono::minutes kUnknownAgeMin{10};

Unexpected unavailable(std::string_view what, const fs::path& path, std::string_view reason) {
    return fail(ErrorCode::Unavailable,
                std::string(what) + " " + path.string() + ": " + std::string(reason));
}

/// An exclusive lock on a folder that lasts as long as the descriptor; none if it is already
/// held.
Fd lock_folder(const fs::path& folder) {
    Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : Fd();
}

bool is_uploads_folder(const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(kUploadsPrefix);
}

void remove_abandoned_uploads(const fs::path& dir) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(dir, ignored)) {
        if (!is_uploads_folder(entry)) continue;
        const Fd lock = lock_folder(entry.path());
        if (lock) fs::remove_all(entry.path(), ignored);
    }
}

Result<void> sync(const fs::path& path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd && ::fsync(fd.get()) == 0) return {};
    return unavailable("cannot sync", path, std::strerror(errno));
}

bool is_young(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return true;  // already removed
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::seconds(status.st_mtime) + kUnknownAgeMin > now;
}

}  // namespace

Result<FileFolder> FileFolder::open(fs::path dir) {
    std::error_code error;
    fs::create_directories(dir, error);
    if (error) return unavailable("cannot create", dir, error.message());
    remove_abandoned_uploads(dir);
    // Another process that starts may take the folder for abandoned before it is locked.
    for (int i = 0; i < 10; ++i) {
        const fs::path uploads = dir / (std::string(kUploadsPrefix) + random_hex(8));
        fs::create_directory(uploads, error);
        if (error) return unavailable("cannot create", uploads, error.message());
        Fd lock = lock_folder(uploads);
        if (lock && fs::exists(uploads, error)) return FileFolder(dir, uploads, std::move(lock));
    }
    return unavailable("cannot lock a folder in", dir, "another process locks it");
}

FileFolder::~FileFolder() {
    std::error_code ignored;
    if (lock_) fs::remove_all(uploads_, ignored);
}

fs::path FileFolder::new_upload() const {
    return uploads_ / random_hex(16);
}

fs::path FileFolder::path_of(std::string_view file_id) const {
    return dir_ / file_id;
}

Result<void> FileFolder::keep(const fs::path& upload, std::string_view file_id) const {
    A2H_TRY(sync(upload));
    // link, unlike rename, never replaces an existing file.
    if (::link(upload.c_str(), path_of(file_id).c_str()) != 0) {
        const int error = errno;
        if (error == EEXIST) return fail(ErrorCode::Conflict, "this file was uploaded already");
        return unavailable("cannot keep", upload, std::strerror(error));
    }
    ::unlink(upload.c_str());
    return sync(dir_);
}

Result<void> FileFolder::remove(std::string_view file_id) const {
    std::error_code error;
    fs::remove(path_of(file_id), error);
    if (error) return unavailable("cannot remove", path_of(file_id), error.message());
    return {};
}

Result<int> FileFolder::remove_unknown(
    const std::function<Result<bool>(const std::string& file_id)>& is_known) const {
    std::error_code error;
    int removed = 0;
    for (const auto& entry : fs::directory_iterator(dir_, error)) {
        if (is_uploads_folder(entry) || is_young(entry.path())) continue;
        const std::string file_id = entry.path().filename();
        A2H_ASSIGN_OR_RETURN(const auto known, is_known(file_id));
        if (known) continue;
        A2H_TRY(remove(file_id));
        ++removed;
    }
    if (error) return unavailable("cannot read", dir_, error.message());
    return removed;
}

Result<FileEnds> read_ends(const fs::path& file, std::size_t head_bytes, std::size_t tail_bytes) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) return unavailable("cannot read", file, "it cannot be opened");
    const auto size = static_cast<std::size_t>(in.tellg());
    FileEnds ends{std::string(std::min(size, head_bytes), '\0'),
                  std::string(std::min(size, tail_bytes), '\0')};
    in.seekg(0);
    in.read(ends.head.data(), static_cast<std::streamsize>(ends.head.size()));
    in.seekg(static_cast<std::streamoff>(size - ends.tail.size()));
    in.read(ends.tail.data(), static_cast<std::streamsize>(ends.tail.size()));
    if (!in) return unavailable("cannot read", file, "it became shorter");
    return ends;
}

}  // namespace a2h::market
