#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/control/client.h"

namespace a2h::mcp {

/// The way to a2hd. Nothing is opened before the first call: clients start a server twice to probe
/// it, and a listing of tools needs no daemon.
/// Thread: any.
class DaemonLink {
  public:
    struct Options {
        std::string home;       ///< value of --home; empty: the usual place
        bool may_start = true;  ///< start a2hd when it is not running
        std::chrono::milliseconds start_timeout = std::chrono::seconds(10);
        std::chrono::milliseconds call_timeout = std::chrono::seconds(60);
    };

    explicit DaemonLink(Options options) : options_(std::move(options)) {}

    /// The envelope (R16) of control method `method`. A call that is `repeatable` is made a second
    /// time when the connection ended under it, for instance because a2hd was restarted.
    /// Errors: those of `control::Client::call` and `control::connect_or_start`; InvalidArgument
    ///         when there is no home folder.
    Result<std::string> call(std::string_view method, std::string_view params_json, bool repeatable,
                             std::stop_token cancelled);

  private:
    Result<std::shared_ptr<control::Client>> connection();
    /// The next call connects anew, unless another has done so already.
    void forget(const std::shared_ptr<control::Client>& client);

    const Options options_;
    std::mutex mutex_;  ///< held while connecting: the others need the same connection
    /// Shared with the calls that still run when a new connection replaces this one.
    std::shared_ptr<control::Client> client_;
};

}  // namespace a2h::mcp
