#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::wire {

std::string sha256_hex(std::string_view data);
/// The same for a file, read in pieces.
///
/// Errors:  NotFound if it cannot be read.
Result<std::string> sha256_hex_of_file(const std::filesystem::path& file);
std::string hmac_sha256_hex(std::string_view key, std::string_view data);
/// Compares in a time that does not depend on where the texts differ.
bool equal_constant_time(std::string_view a, std::string_view b);

std::string base64url_encode(std::string_view bytes);
/// Errors: InvalidArgument.
Result<std::string> base64url_decode(std::string_view text);

/// An Ed25519 key pair; all members base64url without padding.
struct KeyPair {
    std::string key_id;  ///< first 16 characters of base64url SHA-256 of the public key
    std::string public_key;
    std::string secret_key;  ///< never logged, never stored in the database
};
KeyPair new_key_pair();
/// The key id of `public_key`.
///
/// Errors:  InvalidArgument.
Result<std::string> key_id_of(std::string_view public_key);

/// base64url Ed25519 signature. Errors: InvalidArgument for a malformed key.
Result<std::string> ed25519_sign(std::string_view secret_key, std::string_view message);
bool ed25519_verify(std::string_view public_key, std::string_view message,
                    std::string_view signature);

/// Argon2id with 16 MiB and 4 passes (64 MiB would exceed the daemon's memory budget).
std::string hash_pin(std::string_view pin);
bool verify_pin(std::string_view hash, std::string_view pin);

/// 32 random bytes as base64url, for one-time links and session tokens.
std::string new_token();

}  // namespace a2h::wire
