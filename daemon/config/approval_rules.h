#pragma once

#include "core/base/result.h"
#include "daemon/config/config.h"
#include "daemon/config/source.h"

namespace a2h::config {

/// Reads `[[approval_rule]]` into `config`, whose people have been read already.
///
/// Errors:  InvalidArgument naming file, line, key and what is allowed; also if a rule could never
///          be fulfilled.
Result<void> read_approval_rules(Config& config, const Source& source);

}  // namespace a2h::config
