#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::control {

/// One connection to a2hd's control socket. Calls may overlap; answers are matched by id.
/// Thread: `call` from any.
class Client {
  public:
    /// Errors: Unavailable when nobody listens.
    static Result<std::unique_ptr<Client>> connect(const std::filesystem::path& socket_file);
    ~Client();

    /// Sends `{"jsonrpc":"2.0","id":…,"method":method,"params":params_json}` and returns the text
    /// of the answer's `result`. Errors: InvalidArgument with the server's message for a JSON-RPC
    /// error; Timeout; Unavailable
    ///         when the connection ended.
    Result<std::string> call(std::string_view method, std::string_view params_json,
                             std::chrono::milliseconds timeout);

  private:
    struct Impl;
    explicit Client(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Connects; when nobody listens and `start_program` is not empty, starts it as a detached daemon
/// (`a2hd --home …`, log to home/run/a2hd.log) and waits up to `timeout` for its socket.
/// Errors: Unavailable; the message says how to start it by hand.
Result<std::unique_ptr<Client>> connect_or_start(const std::filesystem::path& home_root,
                                                 const std::filesystem::path& start_program,
                                                 std::chrono::milliseconds timeout);

}  // namespace a2h::control
