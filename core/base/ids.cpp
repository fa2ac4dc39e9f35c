#include "core/base/ids.h"

#include <sys/random.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "core/base/check.h"

namespace a2h {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kAgentIdPrefix = "ag_";
constexpr std::string_view kMarketSenderPrefix = "market_";
constexpr std::size_t kAgentIdSuffixMax = 48;

std::string stamped_id(std::string_view prefix, UnixMs now_ms) {
    return std::string(prefix) + std::to_string(now_ms) + "_" + random_hex(4);
}

bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `prefix` and 1 to 48 letters and digits.
bool is_prefixed(std::string_view text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return !text.empty() && text.size() <= kAgentIdSuffixMax &&
           std::all_of(text.begin(), text.end(), is_letter_or_digit);
}

/// `text` after the first of `prefixes` with which it begins, or all of it.
std::string_view without_prefix(std::string_view text, std::span<const std::string_view> prefixes) {
    for (const std::string_view prefix : prefixes)
        if (text.starts_with(prefix)) return text.substr(prefix.size());
    return text;
}

/// True for `digits_min` to 64 hexadecimal digits in groups separated by `_` or `-`. The one
/// English word of consent that has only such letters is not among them.
bool is_digits(std::string_view text, std::size_t digits_min) {
    constexpr std::size_t kDigitsMax = 64;
    constexpr std::string_view kWordOfConsent = "accede";
    std::string letters;
    bool is_after_digit = false;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_digit = std::isxdigit(byte) != 0;
        if (!is_digit && (!is_after_digit || (c != '_' && c != '-'))) return false;
        if (is_digit) letters += static_cast<char>(std::tolower(byte));
        is_after_digit = is_digit;
    }
    return is_after_digit && letters.size() >= digits_min && letters.size() <= kDigitsMax &&
           letters.find(kWordOfConsent) == letters.npos;
}

}  // namespace

void fill_random(std::span<std::byte> out) {
    while (!out.empty()) {
        const ssize_t got = ::getrandom(out.data(), out.size(), 0);
        if (got < 0) {
            A2H_CHECK(errno == EINTR);
            continue;
        }
        out = out.subspan(static_cast<std::size_t>(got));
    }
}

std::string random_hex(std::size_t byte_count) {
    std::string bytes(byte_count, '\0');
    fill_random(std::as_writable_bytes(std::span(bytes)));
    std::string hex;
    hex.reserve(byte_count * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        hex += kHexDigits[byte >> 4];
        hex += kHexDigits[byte & 0x0f];
    }
    return hex;
}

std::string new_message_id(UnixMs now_ms) {
    return stamped_id("msg_", now_ms);
}
std::string new_trace_id(UnixMs now_ms) {
    return stamped_id("trace_", now_ms);
}
std::string new_approval_id() {
    return "apr_" + random_hex(10);
}
std::string new_agent_id() {
    return "ag_" + random_hex(10);
}

bool is_agent_id(std::string_view text) {
    return is_prefixed(text, kAgentIdPrefix);
}

std::string market_sender_id(std::string_view agent_id) {
    if (!is_agent_id(agent_id)) return {};
    return std::string(kMarketSenderPrefix) + std::string(agent_id.substr(kAgentIdPrefix.size()));
}

bool is_market_sender_id(std::string_view text) {
    return is_prefixed(text, kMarketSenderPrefix);
}

std::string agent_of_market_sender(std::string_view text) {
    if (!is_market_sender_id(text)) return {};
    return std::string(kAgentIdPrefix) + std::string(text.substr(kMarketSenderPrefix.size()));
}

bool is_wordless_id(std::string_view text) {
    constexpr std::string_view kPrefixes[] = {"msg_", "req_", "request_", "task_", "trace_"};
    constexpr std::size_t kDigitsMin = 16;
    return is_digits(without_prefix(text, kPrefixes), kDigitsMin);
}

bool is_negotiation_id(std::string_view text) {
    constexpr std::string_view kPrefixes[] = {"collab-", "d-"};
    constexpr std::size_t kDigitsMin = 8;
    const std::string_view digits = without_prefix(text, kPrefixes);
    const bool is_prefixed = digits.size() < text.size();
    return is_prefixed ? is_digits(digits, kDigitsMin) : is_wordless_id(text);
}

std::string session_id(std::string_view agent_a, std::string_view agent_b) {
    if (agent_b < agent_a) std::swap(agent_a, agent_b);
    return std::string(agent_a) + "_" + std::string(agent_b);
}

}  // namespace a2h
