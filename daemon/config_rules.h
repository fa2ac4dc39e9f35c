#pragma once

#include <string_view>

#include "core/base/result.h"
#include "daemon/config.h"

namespace a2h {

/// Reads `[[approval_rule]]` into `config`, whose people are read already.
/// Errors: InvalidArgument naming file, line, key and what is allowed; also when a rule could never
/// be fulfilled.
Result<void> read_rules(Config& config, std::string_view toml, std::string_view file_name);

}  // namespace a2h
