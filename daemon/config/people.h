#pragma once

#include "core/base/result.h"
#include "daemon/config/config.h"
#include "daemon/config/source.h"

namespace a2h::config {

/// Reads `[[channel]]` and `[[person]]` into `config`, whose other settings have been read already.
/// If no person is configured, `kOwner` is added, with all channels of `[notify]` used at once.
/// `channels_line` is the line of these channels in the file, for messages.
///
/// Errors:  InvalidArgument naming file, line, key and what is allowed.
Result<void> read_people(Config& config, const Source& source, int channels_line);

}  // namespace a2h::config
