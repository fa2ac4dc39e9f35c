#pragma once

#include "core/base/result.h"
#include "daemon/config/config.h"
#include "daemon/config/source.h"

namespace a2h::config {

/// Reads `[[channel]]` and `[[person]]` into `config`, whose other settings are read already.
/// Without a person there is one, `kOwner`, with the channels of `[notify]` at once.
/// `channels_line`: where those stand in the file, for messages.
/// Errors: InvalidArgument naming file, line, key and what is allowed.
Result<void> read_people(Config& config, const Source& source, int channels_line);

}  // namespace a2h::config
