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
/// Thread: `call` and `connected` from any; no call may be running when the object goes.
class Client {
  public:
    /// Answers over this are not taken; the connection ends.
    static constexpr std::size_t kLineBytesMax = 16 * 1024 * 1024;

    /// Errors: Unavailable when nobody listens; InvalidArgument when the path is too long.
    static Result<std::unique_ptr<Client>> connect(const std::filesystem::path& socket_file);
    ~Client();

    /// Sends `{"jsonrpc":"2.0","id":…,"method":method,"params":params_json}` and returns the text
    /// of the answer's `result`. `method` needs no escapes and `params_json` has no line feed.
    /// Errors: InvalidArgument with the server's message for a JSON-RPC error; Timeout when the
    ///         answer did not come in time or `stop` was requested; Unavailable when the
    ///         connection ended. After the last two it is not known whether the call took effect.
    Result<std::string> call(std::string_view method, std::string_view params_json,
                             std::chrono::milliseconds timeout, std::stop_token stop = {});

    /// False once the connection has ended: every further call fails.
    bool connected() const;

  private:
    struct Impl;
    explicit Client(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Where one of our programs is: beside the running one, else in an absolute folder of PATH; empty
/// when it is nowhere.
std::filesystem::path find_program(std::string_view name);

/// Connects; when nobody listens and `start_program` is not empty, starts it as a detached daemon
/// (`a2hd --home …`, log to home/run/a2hd.log) and waits up to `timeout` for its socket, longer
/// while it tells its progress. Any number of processes may do this at once: of several daemons the
/// one that gets the lock file stays, and all callers end up with it. Errors: Unavailable; the
/// message says how to start it by hand, and the log's last line when the
///         daemon ended at once.
Result<std::unique_ptr<Client>> connect_or_start(const std::filesystem::path& home_root,
                                                 const std::filesystem::path& start_program,
                                                 std::chrono::milliseconds timeout);

}  // namespace a2h::control
