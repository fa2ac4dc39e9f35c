#include "core/wire/crypto.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <vector>

#include <sodium.h>

#include "core/base/check.h"

namespace a2h::wire {
namespace {

constexpr int kBase64Variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t kKeyIdLength = 16;
constexpr unsigned long long kPinPasses = 4;
constexpr std::size_t kPinMemoryBytes = 16 * 1024 * 1024;
constexpr std::size_t kTokenBytes = 32;

/// Selects libsodium's implementations for this processor; otherwise slow ones are used.
void ensure_sodium() {
    static const int status = ::sodium_init();
    A2H_CHECK(status >= 0);
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

std::string hex(const unsigned char* bytes, std::size_t size) {
    std::string text(size * 2 + 1, '\0');
    ::sodium_bin2hex(text.data(), text.size(), bytes, size);
    text.pop_back();
    return text;
}

std::string key_id_of_bytes(std::string_view public_key_bytes) {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    ::crypto_hash_sha256(digest.data(), bytes_of(public_key_bytes), public_key_bytes.size());
    const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
    return base64url_encode(bytes).substr(0, kKeyIdLength);
}

/// Bytes that are wiped by the destructor.
class Secret {
  public:
    explicit Secret(std::string bytes) : bytes_(std::move(bytes)) {}
    ~Secret() { ::sodium_memzero(bytes_.data(), bytes_.size()); }
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;

    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

}  // namespace

std::string sha256_hex(std::string_view data) {
    ensure_sodium();
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    ::crypto_hash_sha256(digest.data(), bytes_of(data), data.size());
    return hex(digest.data(), digest.size());
}

Result<std::string> sha256_hex_of_file(const std::filesystem::path& file) {
    ensure_sodium();
    std::ifstream in(file, std::ios::binary);
    crypto_hash_sha256_state state;
    ::crypto_hash_sha256_init(&state);
    std::array<char, 64 * 1024> piece{};
    while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
        const auto size = static_cast<std::size_t>(in.gcount());
        ::crypto_hash_sha256_update(&state, bytes_of({piece.data(), size}), size);
    }
    if (!in.eof()) return fail(ErrorCode::NotFound, file.string() + " cannot be read");
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    ::crypto_hash_sha256_final(&state, digest.data());
    return hex(digest.data(), digest.size());
}

std::string hmac_sha256_hex(std::string_view key, std::string_view data) {
    ensure_sodium();
    crypto_auth_hmacsha256_state state;
    std::array<unsigned char, crypto_auth_hmacsha256_BYTES> code{};
    ::crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    ::crypto_auth_hmacsha256_update(&state, bytes_of(data), data.size());
    ::crypto_auth_hmacsha256_final(&state, code.data());
    ::sodium_memzero(&state, sizeof state);
    return hex(code.data(), code.size());
}

bool equal_constant_time(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string base64url_encode(std::string_view bytes) {
    ensure_sodium();
    std::string text(::sodium_base64_encoded_len(bytes.size(), kBase64Variant), '\0');
    ::sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), kBase64Variant);
    text.pop_back();
    return text;
}

Result<std::string> base64url_decode(std::string_view text) {
    ensure_sodium();
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    if (::sodium_base642bin(bytes_of(bytes), bytes.size(), text.data(), text.size(), nullptr, &size,
                            nullptr, kBase64Variant) != 0) {
        return fail(ErrorCode::InvalidArgument, "the text is not base64url without padding");
    }
    bytes.resize(size);
    return bytes;
}

KeyPair new_key_pair() {
    ensure_sodium();
    std::string public_key(crypto_sign_PUBLICKEYBYTES, '\0');
    std::string secret_key(crypto_sign_SECRETKEYBYTES, '\0');
    ::crypto_sign_keypair(bytes_of(public_key), bytes_of(secret_key));
    const Secret secret(std::move(secret_key));
    return {key_id_of_bytes(public_key), base64url_encode(public_key),
            base64url_encode(secret.bytes())};
}

Result<std::string> key_id_of(std::string_view public_key) {
    auto bytes = base64url_decode(public_key);
    if (!bytes || bytes->size() != crypto_sign_PUBLICKEYBYTES) {
        return fail(ErrorCode::InvalidArgument, "a public key must be 32 bytes in base64url");
    }
    return key_id_of_bytes(*bytes);
}

Result<std::string> ed25519_sign(std::string_view secret_key, std::string_view message) {
    auto decoded = base64url_decode(secret_key);
    if (!decoded || decoded->size() != crypto_sign_SECRETKEYBYTES) {
        return fail(ErrorCode::InvalidArgument, "a secret key must be 64 bytes in base64url");
    }
    const Secret secret(std::move(decoded).value());
    std::string signature(crypto_sign_BYTES, '\0');
    ::crypto_sign_detached(bytes_of(signature), nullptr, bytes_of(message), message.size(),
                           bytes_of(secret.bytes()));
    return base64url_encode(signature);
}

bool ed25519_verify(std::string_view public_key, std::string_view message,
                    std::string_view signature) {
    const auto key = base64url_decode(public_key);
    const auto bytes = base64url_decode(signature);
    if (!key || key->size() != crypto_sign_PUBLICKEYBYTES) return false;
    if (!bytes || bytes->size() != crypto_sign_BYTES) return false;
    return ::crypto_sign_verify_detached(bytes_of(*bytes), bytes_of(message), message.size(),
                                         bytes_of(*key)) == 0;
}

std::string hash_pin(std::string_view pin) {
    ensure_sodium();
    std::string hash(crypto_pwhash_STRBYTES, '\0');
    // Fails only if memory cannot be allocated.
    A2H_CHECK(
        ::crypto_pwhash_str(hash.data(), pin.data(), pin.size(), kPinPasses, kPinMemoryBytes) == 0);
    hash.resize(hash.find('\0'));
    return hash;
}

bool verify_pin(std::string_view hash, std::string_view pin) {
    ensure_sodium();
    if (hash.size() >= crypto_pwhash_STRBYTES) return false;
    std::array<char, crypto_pwhash_STRBYTES> padded{};
    hash.copy(padded.data(), hash.size());
    return ::crypto_pwhash_str_verify(padded.data(), pin.data(), pin.size()) == 0;
}

std::string new_token() {
    ensure_sodium();
    std::string bytes(kTokenBytes, '\0');
    ::randombytes_buf(bytes.data(), bytes.size());
    return base64url_encode(bytes);
}

}  // namespace a2h::wire
