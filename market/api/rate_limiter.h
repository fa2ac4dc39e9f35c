#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/guarded.h"

namespace a2h::market {

/// A token bucket for each key, stored as the time at which the bucket will be full again. Keys
/// with a full bucket use no memory.
///
/// Thread:  any.
/// Source:  the "generic cell rate algorithm" of ITU-T I.371.
class RateLimiter {
  public:
    using Time = std::chrono::steady_clock::time_point;
    /// With more keys than this, full buckets are dropped, and all buckets if none is full: a
    /// client with that many addresses cannot be limited by counting them.
    static constexpr std::size_t kKeysMax = 100'000;

    /// `per_second` 0: no limit. At least one request may always come at once.
    RateLimiter(int per_second, int burst);

    /// Takes a token of `key`. Zero if there was one, otherwise the time until there is one.
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

/// The key for a client's address. An IPv6 client has a whole /64, so only that part counts.
std::string address_key(std::string_view address);

}  // namespace a2h::market
