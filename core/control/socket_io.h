#pragma once

#include <sys/un.h>

#include <filesystem>
#include <string>

#include "core/base/fd.h"
#include "core/base/result.h"

namespace a2h::control {

/// Errors:  InvalidArgument if `path` does not fit into a socket address (107 bytes).
Result<sockaddr_un> unix_address(const std::filesystem::path& path);

/// A connected stream socket.
///
/// Errors:  as `unix_address`; Unavailable if no process listens.
Result<Fd> connect_unix(const std::filesystem::path& path);

/// Text of the current errno, for messages.
std::string errno_text();

}  // namespace a2h::control
