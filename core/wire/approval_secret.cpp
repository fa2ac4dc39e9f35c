#include "core/wire/approval_secret.h"

#include <cstdint>

#include "core/wire/crypto.h"

namespace a2h::wire {
namespace {

/// No part contains a line feed, so different forms never have the same text.
std::string derive(std::string_view link_key, std::string_view purpose, const ApprovalForm& form,
                   std::string_view more = {}) {
    if (link_key.empty()) return {};
    std::string text(purpose);
    for (const std::string_view part : {form.approval_id, form.digest, form.person})
        text.append("\n").append(part);
    return hmac_sha256_hex(link_key, text.append(more));
}

}  // namespace

std::string derive_code(std::string_view link_key, const ApprovalForm& form) {
    const std::string mac = derive(link_key, "a2h approval code", form);
    if (mac.empty()) return {};
    // 60 bits: the remainder favours no code by more than one in 10^12.
    const std::uint64_t number = std::stoull(mac.substr(0, 15), nullptr, 16) % 1'000'000;
    std::string code = std::to_string(number);
    return std::string(6 - code.size(), '0') + code;
}

std::string derive_link_token(std::string_view link_key, const ApprovalForm& form) {
    return derive(link_key, "a2h approval link", form).substr(0, 32);
}

std::string derive_button_token(std::string_view link_key, const ApprovalForm& form,
                                std::string_view choice, UnixMs expires_ms) {
    const std::string more = "\n" + std::string(choice) + "\n" + std::to_string(expires_ms);
    return derive(link_key, "a2h approval button", form, more).substr(0, 24);
}

}  // namespace a2h::wire
