#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace a2h::mcp {

/// The state that a client keeps for us between an `input_required` result and its next attempt
/// (2026-07-28). The client may show, store or change it, so it is sealed and valid for one call
/// only.
struct RequestState {
    std::string call;  ///< digest of tool and arguments
    std::string approval_id;
    std::string digest;  ///< digest of the approval that the dialog showed
    std::chrono::steady_clock::time_point until;
};

/// base64url JSON, a dot, and its HMAC-SHA256 with `key`.
std::string seal(const RequestState& state, std::string_view key);
/// nullopt for a text that was not sealed with `key`, is for another call, or has expired at `now`.
std::optional<RequestState> open_seal(std::string_view text, std::string_view key,
                                      std::string_view call,
                                      std::chrono::steady_clock::time_point now);

}  // namespace a2h::mcp
