#include "daemon/notify/hook_signature.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <memory>

#include "core/wire/crypto.h"

namespace a2h::notify {
namespace {

constexpr std::size_t kBlock = 16;

bool is_fresh(std::string_view timestamp, UnixMs now_ms) {
    std::int64_t seconds = 0;
    const char* end = timestamp.data() + timestamp.size();
    const auto [after, error] = std::from_chars(timestamp.data(), end, seconds);
    if (error != std::errc() || after != end) return false;
    constexpr std::int64_t kSecondsMax = std::chrono::seconds(kHookAgeMax).count();
    const std::int64_t now_s = now_ms / 1000;
    return seconds >= now_s - kSecondsMax && seconds <= now_s + kSecondsMax;
}

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::string> from_hex(std::string_view hex) {
    if (hex.empty() || hex.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2) {
        const int high = digit_of(hex[at]);
        const int low = digit_of(hex[at + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

Result<std::string> from_base64(std::string_view text) {
    std::string url(text);
    std::replace(url.begin(), url.end(), '+', '-');
    std::replace(url.begin(), url.end(), '/', '_');
    while (url.ends_with('='))
        url.pop_back();
    return wire::base64url_decode(url);
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

bool is_from_slack(std::string_view signing_secret, std::string_view timestamp,
                   std::string_view signature, std::string_view body, UnixMs now_ms) {
    if (signing_secret.empty() || !is_fresh(timestamp, now_ms)) return false;
    const std::string signed_text = "v0:" + std::string(timestamp) + ":" + std::string(body);
    return wire::equal_constant_time("v0=" + wire::hmac_sha256_hex(signing_secret, signed_text),
                                     signature);
}

bool is_from_discord(std::string_view public_key_hex, std::string_view timestamp,
                     std::string_view signature_hex, std::string_view body, UnixMs now_ms) {
    const auto key = from_hex(public_key_hex);
    const auto signature = from_hex(signature_hex);
    if (!key || !signature || !is_fresh(timestamp, now_ms)) return false;
    return wire::ed25519_verify(wire::base64url_encode(*key),
                                std::string(timestamp) + std::string(body),
                                wire::base64url_encode(*signature));
}

bool is_from_feishu(std::string_view encrypt_key, std::string_view timestamp,
                    std::string_view nonce, std::string_view signature, std::string_view body) {
    if (encrypt_key.empty()) return false;
    std::string text(timestamp);
    text.append(nonce).append(encrypt_key).append(body);
    return wire::equal_constant_time(wire::sha256_hex(text), signature);
}

Result<std::string> decrypt_feishu(std::string_view encrypt_key, std::string_view encrypted) {
    const auto bad = [] {
        return fail(ErrorCode::InvalidArgument, "the body cannot be decrypted");
    };
    const auto bytes = from_base64(encrypted);
    const auto key = from_hex(wire::sha256_hex(encrypt_key));
    if (!bytes || bytes->size() < 2 * kBlock || bytes->size() % kBlock != 0) return bad();
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
        EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    const std::string_view data = std::string_view(*bytes).substr(kBlock);
    std::string plain(data.size() + kBlock, '\0');
    auto* out = reinterpret_cast<unsigned char*>(plain.data());
    int first = 0;
    int last = 0;
    const bool done = context &&
                      EVP_DecryptInit_ex(context.get(), EVP_aes_256_cbc(), nullptr, bytes_of(*key),
                                         bytes_of(*bytes)) == 1 &&
                      EVP_DecryptUpdate(context.get(), out, &first, bytes_of(data),
                                        static_cast<int>(data.size())) == 1 &&
                      EVP_DecryptFinal_ex(context.get(), out + first, &last) == 1;
    if (!done) return bad();
    plain.resize(static_cast<std::size_t>(first + last));
    return plain;
}

}  // namespace a2h::notify
