#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace a2h::notify {

// How services prove that they have sent a call of our webhook. Pure.
//
// Thread:  any.

/// A signed call that is older, or further in the future, is treated as a replay.
inline constexpr std::chrono::minutes kHookAgeMax{5};

/// `signature` is `v0=` and the hex HMAC-SHA256 of `v0:{timestamp}:{body}`.
///
/// Source:  docs.slack.dev, "Verifying requests from Slack".
bool is_from_slack(std::string_view signing_secret, std::string_view timestamp,
                   std::string_view signature, std::string_view body, UnixMs now_ms);

/// Ed25519 of `timestamp` and `body`; key and signature in hex.
/// Source: docs.discord.com, "Interactions overview", "Security and authorization".
bool is_from_discord(std::string_view public_key_hex, std::string_view timestamp,
                     std::string_view signature_hex, std::string_view body, UnixMs now_ms);

/// Hex SHA-256 of timestamp, nonce, encrypt key and body.
/// Source: open.feishu.cn, "Event subscription", "Security verification".
bool is_from_feishu(std::string_view encrypt_key, std::string_view timestamp,
                    std::string_view nonce, std::string_view signature, std::string_view body);

/// Decrypts the member `encrypt`: base64 of an initialization vector and AES-256-CBC with the
/// SHA-256 of the encrypt key.
///
/// Errors:  InvalidArgument.
/// Source:  as above, "Encrypt key".
Result<std::string> decrypt_feishu(std::string_view encrypt_key, std::string_view encrypted);

}  // namespace a2h::notify
