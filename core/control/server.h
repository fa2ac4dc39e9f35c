#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace a2h::control {

/// JSON-RPC 2.0, one object a line, over a Unix socket with mode 0600. Only processes of the same
/// user (SO_PEERCRED) or root are served.
///
/// `on_line` runs on the server's thread for every complete line and must only hand on (it posts to
/// the loop); `Respond` may be called once, later, from any thread, with one line without LF, also
/// after the client has gone or the server has ended: the line is dropped then. A `Respond` that is
/// dropped without a call leaves its request unanswered.
///
/// A client that sends a line over `kLineBytesMax`, or reads slower than `kWriteBufferBytesMax`
/// of answers, is disconnected. A client with `kPendingMax` unanswered requests is not read from
/// until one is answered.
class Server {
  public:
    static constexpr std::size_t kLineBytesMax = 1024 * 1024;
    static constexpr std::size_t kWriteBufferBytesMax = 16 * 1024 * 1024;
    static constexpr std::size_t kClientsMax = 256;
    static constexpr std::size_t kPendingMax = 256;

    using Respond = std::function<void(std::string line)>;
    using OnLine = std::function<void(std::string line, Respond respond)>;

    /// A socket file that nobody listens on is replaced.
    /// Errors: Conflict when another server answers on `path`; InvalidArgument when `path` is too
    ///         long for a socket; Unavailable otherwise.
    static Result<std::unique_ptr<Server>> start(const std::filesystem::path& path, OnLine on_line);
    /// On a socket that is bound and listens already; the server takes the descriptor over, and
    /// leaves the socket's file to who bound it. What waits there is served first.
    /// Errors: Unavailable.
    static Result<std::unique_ptr<Server>> adopt(int listener, OnLine on_line);
    /// Disconnects everybody and removes the socket file, unless it was adopted or another server
    /// has replaced it.
    ~Server();

  private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::control
