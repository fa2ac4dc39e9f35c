#pragma once

#include <string_view>

#include "core/base/result.h"
#include "market/api/serve.h"

namespace a2h::market {

/// The agent that signed `request`: platform headers, ±5 min, and nonce and Ed25519 signature if
/// they are present or if the agent requires them. `also_signed_as` is that of the row.
///
/// Errors:  Unauthenticated, the same for an unknown agent and a wrong signature; PermissionDenied
///          for a revoked agent.
/// Source:  docs/protocol.md, "Signed requests".
Result<Agent> authenticate(ApiParts& parts, const http::Request& request,
                           std::string_view also_signed_as);

/// Checks `X-Timestamp`, `X-A2H-Nonce` and `X-A2H-Signature` with `public_key`. `agent_id` is part
/// of the signed text, and `actor` is the user of the nonce.
///
/// Errors:  Unauthenticated.
Result<void> check_nonce_signature(ApiParts& parts, const http::Request& request,
                                   std::string_view agent_id, std::string_view public_key,
                                   std::string_view actor);

}  // namespace a2h::market
