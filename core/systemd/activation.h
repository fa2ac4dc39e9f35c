#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace a2h::systemd {

/// The listening Unix stream socket that the service manager opened for this process (a socket
/// unit), set to close-on-exec and non-blocking; absent if it opened none. The caller owns the
/// descriptor but must not remove the socket's file, which belongs to the manager.
///
/// Errors:  InvalidArgument if there are several, or if it is another kind of socket.
/// Thread:  one, once.
/// Source:  sd_listen_fds(3).
Result<std::optional<int>> take_listening_socket();

/// The folder of the credentials from LoadCredential=; empty without any. The folder, not the mode
/// of the files, protects them.
///
/// Source:  systemd.exec(5), "Credentials".
std::filesystem::path credentials_folder();

}  // namespace a2h::systemd
