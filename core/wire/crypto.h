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
/// The same of a file, read in pieces. Errors: NotFound when it cannot be read.
Result<std::string> sha256_hex_of_file(const std::filesystem::path& file);
std::string hmac_sha256_hex(std::string_view key, std::string_view data);
/// Compares without telling by its duration where two texts differ.
bool equal_constant_time(std::string_view a, std::string_view b);

std::string base64url_encode(std::string_view bytes);
/// Errors: InvalidArgument.
Result<std::string> base64url_decode(std::string_view text);

/// An Ed25519 key pair; all members base64url without padding.
struct KeyPair {
    std::string key_id;  ///< first 16 characters of base64url SHA-256 of the public key
    std::string public_key;
    std::string secret_key;  ///< never logged, never in the database
};
KeyPair new_key_pair();
/// The key id that belongs to `public_key`. Errors: InvalidArgument.
Result<std::string> key_id_of(std::string_view public_key);

/// base64url Ed25519 signature. Errors: InvalidArgument for a malformed key.
Result<std::string> ed25519_sign(std::string_view secret_key, std::string_view message);
bool ed25519_verify(std::string_view public_key, std::string_view message,
                    std::string_view signature);

/// Argon2id (64 MiB would break the memory budget of the daemon: 16 MiB, 4 passes).
std::string hash_pin(std::string_view pin);
bool verify_pin(std::string_view hash, std::string_view pin);

/// 32 random bytes, base64url: one-time links and session tokens.
std::string new_token();

}  // namespace a2h::wire
