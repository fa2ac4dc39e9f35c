#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::control {

/// One connection to a2hd's control socket. Calls may overlap; answers are matched by id.
///
/// Thread:  any for `call` and `connected`; no call may be running when the object is destroyed.
class Client {
  public:
    /// A longer answer ends the connection.
    static constexpr std::size_t kLineBytesMax = 16 * 1024 * 1024;

    /// Errors:  Unavailable if no process listens; InvalidArgument if the path is too long.
    static Result<std::unique_ptr<Client>> connect(const std::filesystem::path& socket_file);
    ~Client();

    /// Sends `{"jsonrpc":"2.0","id":…,"method":method,"params":params_json}` and returns the text
    /// of the answer's `result`. `method` must need no escapes, and `params_json` must not contain
    /// a line feed.
    ///
    /// Errors:  InvalidArgument with the server's message for a JSON-RPC error; Timeout if the
    ///          answer did not arrive in time or `stop` was requested; Unavailable if the
    ///          connection ended. After the last two it is unknown whether the call took effect.
    Result<std::string> call(std::string_view method, std::string_view params_json,
                             std::chrono::milliseconds timeout, std::stop_token stop = {});

    /// False once the connection has ended. All further calls then fail.
    bool connected() const;

  private:
    struct Impl;
    explicit Client(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The path of one of our programs: in the folder of the running program, otherwise in an absolute
/// folder of PATH; empty if it is not found.
std::filesystem::path find_program(std::string_view name);

/// Connects. If no process listens and `start_program` is not empty, starts it as a detached daemon
/// (`a2hd --home …`, log in home/run/a2hd.log) and waits up to `timeout` for its socket, or longer
/// while it reports progress. Several processes may do this at once: the daemon that gets the lock
/// file stays, and all callers connect to it.
///
/// Errors:  Unavailable. The message says how to start it by hand, and contains the last line of
///          the log if the daemon ended at once.
Result<std::unique_ptr<Client>> connect_or_start(const std::filesystem::path& home_root,
                                                 const std::filesystem::path& start_program,
                                                 std::chrono::milliseconds timeout);

}  // namespace a2h::control
