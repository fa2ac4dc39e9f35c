#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/fd.h"
#include "core/base/result.h"

namespace a2h::market {

/// The folder of uploaded files: `DIR/{file_id}`, with names that only we choose, and a folder of
/// this process for uploads in progress.
///
/// Several processes may share DIR. Each holds a lock on its own upload folder; `open` removes
/// folders that are no longer locked, and with them what killed processes have left.
///
/// Thread:  any.
class FileFolder {
  public:
    /// Errors:  Unavailable if the folder cannot be created or used.
    static Result<FileFolder> open(std::filesystem::path dir);

    FileFolder(FileFolder&&) noexcept = default;
    FileFolder& operator=(FileFolder&&) = delete;
    ~FileFolder();

    /// A new path for an upload; nothing is created.
    std::filesystem::path new_upload() const;
    /// Durably makes a finished upload the file of `file_id`.
    ///
    /// Errors:  Conflict if it exists already; Unavailable.
    Result<void> keep(const std::filesystem::path& upload, std::string_view file_id) const;
    std::filesystem::path path_of(std::string_view file_id) const;
    /// Succeeds if there is no such file.
    ///
    /// Errors:  Unavailable.
    Result<void> remove(std::string_view file_id) const;

    /// Removes the files for which `is_known` returns false and that are older than ten minutes,
    /// because the row of a younger one may still be written. Returns their number.
    ///
    /// Errors:  those of `is_known`; Unavailable.
    Result<int> remove_unknown(
        const std::function<Result<bool>(const std::string& file_id)>& is_known) const;

  private:
    FileFolder(std::filesystem::path dir, std::filesystem::path uploads, Fd lock)
        : dir_(std::move(dir)), uploads_(std::move(uploads)), lock_(std::move(lock)) {}

    std::filesystem::path dir_;
    std::filesystem::path uploads_;
    Fd lock_;
};

/// The first `head_bytes` and the last `tail_bytes` of a file.
///
/// Errors:  Unavailable.
struct FileEnds {
    std::string head;
    std::string tail;
};
Result<FileEnds> read_ends(const std::filesystem::path& file, std::size_t head_bytes,
                           std::size_t tail_bytes);

}  // namespace a2h::market
