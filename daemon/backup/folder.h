#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace a2h::backup {

// Writes that either survive a power failure whole or leave nothing.
//
// Errors:  of all functions: ResourceExhausted if the disk is full; PermissionDenied; Unavailable.
// Thread:  any; they block on the disk.

/// Creates or replaces `file` with mode 0600 and flushes it.
Result<void> write_durable(const std::filesystem::path& file, std::string_view text);
/// Copies a regular file as 0600 and flushes the copy.
Result<void> copy_durable(const std::filesystem::path& from, const std::filesystem::path& to);
/// The text of a file of at most `bytes_max`. Errors: also NotFound, InvalidArgument when larger.
Result<std::string> read_whole(const std::filesystem::path& file, std::size_t bytes_max);
/// Flushes the entries of a folder to the disk.
Result<void> flush_folder(const std::filesystem::path& folder);
/// Creates one folder with mode 0700.
///
/// Errors:  also Conflict if the name exists.
Result<void> make_new_folder(const std::filesystem::path& folder);
/// Renames durably.
///
/// Errors:  also Conflict if `to` exists; it is left unchanged.
Result<void> rename_new(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace a2h::backup
