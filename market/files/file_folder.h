#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::market {

/// Where uploads lie: `DIR/{file_id}`, names that are ours alone, and a folder of uploads on their
/// way that belongs to this process.
///
/// Several processes may share DIR. Each holds a lock on its own folder of uploads; `open` removes
/// the folders that nobody holds any more, and with them what a killed process left.
/// Thread: any.
class FileFolder {
  public:
    /// Errors: Unavailable when the folder cannot be made or used.
    static Result<FileFolder> open(std::filesystem::path dir);

    FileFolder(FileFolder&& other) noexcept;
    FileFolder& operator=(FileFolder&&) = delete;
    ~FileFolder();

    /// A new path for an upload; nothing is created.
    std::filesystem::path new_upload() const;
    /// Makes a finished upload the file of `file_id`, durably.
    /// Errors: Conflict when there is one already; Unavailable.
    Result<void> keep(const std::filesystem::path& upload, std::string_view file_id) const;
    std::filesystem::path path_of(std::string_view file_id) const;
    /// That there is no such file is success. Errors: Unavailable.
    Result<void> remove(std::string_view file_id) const;

    /// Removes the files for which `is_known` says no, but none that is younger than ten minutes:
    /// its row may be on its way. Answers how many.
    /// Errors: those of `is_known`; Unavailable.
    Result<int> remove_unknown(
        const std::function<Result<bool>(const std::string& file_id)>& is_known) const;

  private:
    FileFolder(std::filesystem::path dir, std::filesystem::path uploads, int lock)
        : dir_(std::move(dir)), uploads_(std::move(uploads)), lock_(lock) {}

    std::filesystem::path dir_;
    std::filesystem::path uploads_;
    int lock_ = -1;
};

/// The first `head_bytes` and the last `tail_bytes` of a file. Errors: Unavailable.
struct FileEnds {
    std::string head;
    std::string tail;
};
Result<FileEnds> read_ends(const std::filesystem::path& file, std::size_t head_bytes,
                           std::size_t tail_bytes);

}  // namespace a2h::market
