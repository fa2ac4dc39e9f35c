#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace a2h::control {

/// JSON-RPC 2.0, one object on each line, over a Unix socket with mode 0600. Only processes of the
/// same user (SO_PEERCRED) or root are served.
///
/// `on_line` runs on the server's thread for every complete line and must only pass it on (it posts
/// to the loop). `Respond` may be called once, later, from any thread, with one line without LF. If
/// the client or the server has ended by then, the line is dropped. A `Respond` that is destroyed
/// without a call leaves its request unanswered.
///
/// A client that sends a line longer than `kLineBytesMax`, or does not read `kWriteBufferBytesMax`
/// of answers, is disconnected. No further requests are read from a client with `kPendingMax`
/// unanswered ones until one is answered.
class Server {
  public:
    static constexpr std::size_t kLineBytesMax = 1024 * 1024;
    static constexpr std::size_t kWriteBufferBytesMax = 16 * 1024 * 1024;
    static constexpr std::size_t kClientsMax = 256;
    static constexpr std::size_t kPendingMax = 256;

    using Respond = std::function<void(std::string line)>;
    using OnLine = std::function<void(std::string line, Respond respond)>;

    /// Replaces a socket file on which no process listens.
    ///
    /// Errors:  Conflict if another server answers on `path`; InvalidArgument if `path` is too long
    ///          for a socket; Unavailable otherwise.
    static Result<std::unique_ptr<Server>> start(const std::filesystem::path& path, OnLine on_line);
    /// Uses a socket that is already bound and listening. The server takes over the descriptor but
    /// not the socket's file. Waiting connections are served first.
    ///
    /// Errors:  Unavailable.
    static Result<std::unique_ptr<Server>> adopt(int listener, OnLine on_line);
    /// Disconnects all clients and removes the socket file, unless it was adopted or another server
    /// has replaced it.
    ~Server();

  private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::control
