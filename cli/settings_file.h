#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace a2h::cli {

/// What a settings file of another program holds; empty when there is none.
/// Errors: Unavailable when it cannot be read; InvalidArgument when it is no file or over 4 MiB.
Result<std::string> read_settings(const std::filesystem::path& file);

/// Makes `file`, which held `before`, hold `after`: at once or not at all. Folders are made where
/// they are missing, links are followed, permissions stay. What was there is left in
/// "<file>.a2h-backup", whose path is returned; empty when there was nothing.
/// Errors: Conflict when `file` holds something else than `before` by now; Unavailable when it or
///         the copy cannot be written.
Result<std::filesystem::path> replace_settings(const std::filesystem::path& file,
                                               const std::string& before, const std::string& after);

}  // namespace a2h::cli
