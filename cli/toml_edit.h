#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace a2h::cli {

/// Key and value in TOML's notation.
using TomlAssignment = std::pair<std::string, std::string>;

/// `text` with `assignments` made in table [path[0].path[1]…], at the top level for an empty path.
/// An existing value is replaced in place; a new key is inserted after its commented default (`#key
/// = …`), otherwise at the beginning of the table, which is added at the end if it is missing. All
/// other bytes are unchanged, including comments.
///
/// Errors:  InvalidArgument if `text` is not TOML, or if a key is new and the table has no header
///          of its own.
Result<std::string> set_toml_entry(std::string_view text, const std::vector<std::string>& path,
                                   const std::vector<TomlAssignment>& assignments);

}  // namespace a2h::cli
