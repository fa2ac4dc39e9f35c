#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/control/change_page.h"
#include "core/control/client.h"
#include "mcp/daemon_call.h"

namespace a2h::mcp {

/// The connection to a2hd. It is opened by the first call: clients start a server twice to probe
/// it, and a list of tools needs no daemon.
///
/// Thread:  any.
class DaemonLink {
  public:
    struct Options {
        std::string home;       ///< value of --home; empty: the default
        bool may_start = true;  ///< start a2hd if it is not running
        std::chrono::milliseconds start_timeout = std::chrono::seconds(10);
        /// How long a call waits for a daemon that was running before.
        std::chrono::milliseconds restart_timeout = std::chrono::seconds(5);
        std::chrono::milliseconds call_timeout = std::chrono::seconds(60);
    };

    explicit DaemonLink(Options options) : options_(std::move(options)) {}

    /// The envelope (R16). A repeatable call is repeated if the connection was lost during it, for
    /// instance because a2hd was restarted.
    ///
    /// Errors:  those of `control::Client::call` and `control::connect_or_start`; InvalidArgument
    ///          if there is no home folder.
    Result<std::string> call(const DaemonCall& call, std::stop_token cancelled);

    /// While this number stays the same, results that operations read from a2hd's database stay
    /// valid. Absent if that is unknown: not connected, or a2hd hangs. Costs a system call and
    /// never waits.
    std::optional<std::uint64_t> change_count();

  private:
    using Client = std::shared_ptr<control::Client>;

    Result<Client> connect(bool patient);
    /// Tries until there is a connection, until `deadline` or until `cancelled`.
    Result<Client> connection(bool patient, std::chrono::steady_clock::time_point deadline,
                              const std::stop_token& cancelled);
    /// Makes the next call reconnect, unless another call has done so already.
    void forget(const Client& client);

    const Options options_;
    std::mutex mutex_;  ///< held while connecting, because the others need the same connection
    /// Shared with calls that are still running when a new connection replaces this one.
    Client client_;
    std::unique_ptr<control::ChangeWatch> watch_;  ///< of the daemon behind `client_`
    bool was_there_ =
        false;  ///< a daemon was connected, and has been unavailable only for a short time
};

}  // namespace a2h::mcp
