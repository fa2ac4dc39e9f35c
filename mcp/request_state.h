#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace a2h::mcp {

/// What a client carries for us from an `input_required` result to its next try (2026-07-28). The
/// client may show it, keep it or change it: it is sealed, and good for one call only.
struct RequestState {
    std::string call;  ///< digest of tool and arguments
    std::string approval_id;
    std::string digest;  ///< of the approval, as the dialog showed it
    std::chrono::steady_clock::time_point until;
};

/// base64url JSON, a point, and its HMAC-SHA256 under `key`.
std::string seal(const RequestState& state, std::string_view key);
/// nullopt for what is not sealed with `key`, is for another call, or is over at `now`.
std::optional<RequestState> open_seal(std::string_view text, std::string_view key,
                                      std::string_view call,
                                      std::chrono::steady_clock::time_point now);

}  // namespace a2h::mcp
