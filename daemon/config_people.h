#pragma once

#include <string_view>

#include "core/base/result.h"
#include "daemon/config.h"

namespace a2h {

/// Reads `[[channel]]` and `[[person]]` of a well-formed `toml` into `config`, whose other settings
/// are read already.
/// Without a person there is one, `kOwner`, with the channels of `[notify]` at once.
/// Errors: InvalidArgument naming file, line, key and what is allowed.
Result<void> read_people(Config& config, std::string_view toml, std::string_view file_name);

}  // namespace a2h
