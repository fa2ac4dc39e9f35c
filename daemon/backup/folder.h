#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace a2h::backup {

// Files that must be there after a power cut, or not at all. Thread: any; they block on the disk.
// Errors of all: ResourceExhausted when the disk is full; PermissionDenied; Unavailable.

/// Writes `file` anew with mode 0600 and flushes it.
Result<void> write_durable(const std::filesystem::path& file, std::string_view text);
/// Copies a regular file as 0600 and flushes the copy.
Result<void> copy_durable(const std::filesystem::path& from, const std::filesystem::path& to);
/// The text of a file of at most `bytes_max`. Errors: also NotFound, InvalidArgument when larger.
Result<std::string> read_whole(const std::filesystem::path& file, std::size_t bytes_max);
/// Flushes a folder's names.
Result<void> flush_folder(const std::filesystem::path& folder);
/// Makes one folder, 0700. Errors: also Conflict when something of that name is there.
Result<void> make_new_folder(const std::filesystem::path& folder);
/// Renames durably. Errors: also Conflict when `to` exists; it is left alone.
Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace a2h::backup
