#include "market/api/rate_limiter.h"

#include <arpa/inet.h>

#include <algorithm>

namespace a2h::market {

RateLimiter::RateLimiter(int per_second, int burst) {
    if (per_second <= 0) return;
    interval_ = std::chrono::nanoseconds(std::chrono::seconds(1)) / per_second;
    tolerance_ = interval_ * (std::max(1, burst) - 1);
}

std::chrono::nanoseconds RateLimiter::take(std::string_view key, Time now) {
    if (interval_.count() == 0) return std::chrono::nanoseconds(0);
    return full_at_.with([&](FullAt& buckets) {
        auto bucket = buckets.find(key);
        if (bucket == buckets.end()) {
            if (buckets.size() >= kKeysMax) {
                std::erase_if(buckets, [now](const auto& each) { return each.second <= now; });
                if (buckets.size() >= kKeysMax) buckets.clear();
            }
            bucket = buckets.emplace(std::string(key), now).first;
        }
        const Time from = std::max(bucket->second, now);
        if (from - now > tolerance_) return std::chrono::nanoseconds(from - now - tolerance_);
        bucket->second = from + interval_;
        return std::chrono::nanoseconds(0);
    });
}

std::string address_key(std::string_view address) {
    constexpr std::size_t kPrefixBytes = 8;
    in6_addr parsed{};
    const std::string text(address);
    if (::inet_pton(AF_INET6, text.c_str(), &parsed) != 1) return text;
    return std::string(reinterpret_cast<const char*>(parsed.s6_addr), kPrefixBytes);
}

}  // namespace a2h::market
