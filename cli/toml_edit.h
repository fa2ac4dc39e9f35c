#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace a2h::cli {

/// Key and value, both as TOML writes them.
using TomlAssignment = std::pair<std::string, std::string>;

/// `text` with `assignments` made in table [path[0].path[1]…], at the top level for an empty path.
/// A value that is there is replaced in its place; a new key goes behind its commented default
/// (`#key = …`), else to the beginning of the table, which is added at the end where it is missing.
/// All other bytes stay as they are, comments too.
/// Errors: InvalidArgument when `text` is not TOML, or when a key is new and the table not written
///         with a header of its own.
Result<std::string> set_toml_entry(std::string_view text, const std::vector<std::string>& path,
                                   const std::vector<TomlAssignment>& assignments);

}  // namespace a2h::cli
