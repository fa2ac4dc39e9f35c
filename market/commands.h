#pragma once

#include <string>

#include "core/base/result.h"
#include "market/options.h"

namespace a2h::market {

/// Serves until SIGTERM or SIGINT. The first line on stdout is `listening on http://HOST:PORT`,
/// printed once requests are answered.
///
/// Errors:  Conflict if the port is in use; Unsupported, Corrupt or Unavailable for `data_dir`.
Result<void> serve(const ServeOptions& options);

/// A complete mosquitto.conf for a broker of this market. Creates `data_dir` and the token key if
/// they are missing, so that the broker can be started first.
///
/// Errors:  Unavailable; InvalidArgument for a path that cannot be written in mosquitto's
///          configuration.
Result<std::string> broker_config(const BrokerConfigOptions& options);

/// Marks the agent as revoked and informs the broker, which ends its sessions within 2 s.
///
/// Errors:  NotFound; Unavailable.
Result<void> revoke(const RevokeOptions& options);

}  // namespace a2h::market
