#pragma once

#include <string>

#include "core/base/result.h"
#include "market/options.h"

namespace a2h::market {

/// Serves until SIGTERM or SIGINT. The first line on stdout is `listening on http://HOST:PORT`,
/// printed when requests are answered.
/// Errors: Conflict when the port is taken; Unsupported, Corrupt or Unavailable for `data_dir`.
Result<void> serve(const ServeOptions& options);

/// A complete mosquitto.conf for a broker that obeys this market. Creates `data_dir` and the token
/// key when there are none yet, so that the broker may be started first.
/// Errors: Unavailable; InvalidArgument for a path that mosquitto cannot read from its file.
Result<std::string> broker_config(const BrokerConfigOptions& options);

/// Marks the agent as revoked, and tells the broker, which ends its sessions within 2 s.
/// Errors: NotFound; Unavailable.
Result<void> revoke(const RevokeOptions& options);

}  // namespace a2h::market
