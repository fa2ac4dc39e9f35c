#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h {

/// Errors: Unavailable.
Result<std::string> read_file(const std::filesystem::path& file);

/// Writes the file completely or not at all: written beside it, synced, then renamed over `file`.
///
/// Errors:  Unavailable.
Result<void> write_file(const std::filesystem::path& file, std::string_view content, mode_t mode);

/// Whether `path` is `folder` or lies in it once links and `..` are resolved. What does not exist
/// yet counts as well. An error means neither yes nor no.
///
/// Errors:  Unavailable if one of the two cannot be resolved, such as links that form a loop.
Result<bool> is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace a2h
