#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace a2h::cli {

/// The content of another program's settings file; empty if there is none.
///
/// Errors:  Unavailable if it cannot be read; InvalidArgument if it is not a regular file or
///          exceeds 4 MiB.
Result<std::string> read_settings(const std::filesystem::path& file);

/// Replaces the content `before` of `file` with `after`, completely or not at all. Missing folders
/// are created, links are followed, permissions stay. The previous content is kept in
/// "<file>.a2h-backup", whose path is returned; empty if there was none.
///
/// Errors:  Conflict if `file` no longer contains `before`; Unavailable if it or the copy cannot be
///          written.
Result<std::filesystem::path> replace_settings(const std::filesystem::path& file,
                                               const std::string& before, const std::string& after);

}  // namespace a2h::cli
