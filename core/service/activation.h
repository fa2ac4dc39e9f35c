#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"

namespace a2h::service {

/// The listening Unix stream socket that the service manager opened for this process (a socket
/// unit), made close-on-exec and non-blocking; absent when it has opened none. The caller owns the
/// descriptor, and must not remove the socket's file: it is the manager's.
///
/// Errors: InvalidArgument when there are several or it is another kind of socket.
/// Thread: one, once.
/// Source: sd_listen_fds(3).
Result<std::optional<int>> take_listening_socket();

/// The folder of the credentials that LoadCredential= has brought here; empty without any. Files in
/// it are guarded by the folder, not by their mode.
/// Source: systemd.exec(5), "Credentials".
std::filesystem::path credentials_folder();

}  // namespace a2h::service
