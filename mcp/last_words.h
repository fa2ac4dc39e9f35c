#pragma once

#include "core/base/result.h"
#include "mcp/dispatcher.h"
#include "mcp/output.h"

namespace a2h::mcp {

/// The end of the program after the end of its input: waits until every request is answered and
/// every answer is written, and no longer once nobody reads them any more.
///
/// Errors:  Timeout if the patience of `output` ended first: a call is not answered yet, or the
///          client does not read.
/// Thread:  the one that called `Dispatcher::read_to_end`, afterwards.
[[nodiscard]] Result<void> finish(Dispatcher& dispatcher, Output& output);

}  // namespace a2h::mcp
