#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/guarded.h"

namespace a2h::market {

/// A token bucket for each key, kept as one point in time: when the bucket will be full again.
/// Keys whose bucket is full cost nothing. Thread: any.
/// Source: the "generic cell rate algorithm" of ITU-T I.371.
class RateLimiter {
  public:
    using Time = std::chrono::steady_clock::time_point;
    /// Above this many keys the full buckets are dropped, and all of them when none is full: who
    /// has that many addresses is not stopped by counting them.
    static constexpr std::size_t kKeysMax = 100'000;

    /// `per_second` 0: no limit. At least one may always come at once.
    RateLimiter(int per_second, int burst);

    /// Takes a token of `key`. Zero when there was one, else the time until there will be one.
    std::chrono::nanoseconds take(std::string_view key, Time now);

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    using FullAt = std::unordered_map<std::string, Time, Hash, std::equal_to<>>;

    std::chrono::nanoseconds interval_{0};  ///< between two tokens; 0: no limit
    std::chrono::nanoseconds tolerance_{0};
    Guarded<FullAt> full_at_;
};

/// What stands for a client's address as a key: an IPv6 client owns a whole /64.
std::string address_key(std::string_view address);

}  // namespace a2h::market
