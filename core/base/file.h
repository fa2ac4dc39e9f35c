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

}  // namespace a2h
