#include "core/wire/approval_secret.h"

#include <cstdint>

#include "core/wire/crypto.h"

namespace a2h::wire {
namespace {

std::string derive(std::string_view link_key, std::string_view purpose,
                   std::string_view approval_id, std::string_view digest) {
    if (link_key.empty()) return {};
    std::string text(purpose);
    text.append("\n").append(approval_id).append("\n").append(digest);
    return hmac_sha256_hex(link_key, text);
}

}  // namespace

std::string derive_code(std::string_view link_key, std::string_view approval_id,
                        std::string_view digest) {
    const std::string mac = derive(link_key, "a2h approval code", approval_id, digest);
    if (mac.empty()) return {};
    // 60 bits: their remainder favours no code by more than one in 10^12.
    const std::uint64_t number = std::stoull(mac.substr(0, 15), nullptr, 16) % 1'000'000;
    std::string code = std::to_string(number);
    return std::string(6 - code.size(), '0') + code;
}

std::string derive_link_token(std::string_view link_key, std::string_view approval_id,
                              std::string_view digest) {
    return derive(link_key, "a2h approval link", approval_id, digest).substr(0, 32);
}

}  // namespace a2h::wire
