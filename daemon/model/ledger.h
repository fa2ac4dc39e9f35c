#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "daemon/model/settings.h"

namespace a2h::model {

/// What one call has cost, or may cost at most.
struct Tokens {
    std::int64_t input = 0;
    std::int64_t output = 0;
};

/// What the model has used today. A day begins at midnight of the machine's time zone.
///
/// A call is entered with the most that it can cost before it is made, and corrected by what the
/// endpoint says afterwards: a crash in between, or an endpoint that tells nothing, costs too much
/// rather than nothing. A clock that is set back does not begin a day again.
///
/// Units:   money in millionths of a minor unit, so that sums are exact.
/// Thread:  the loop.
class Ledger {
  public:
    /// `stored`: what `to_json` gave before the last restart; anything else begins with nothing.
    Ledger(const Settings& settings, std::string_view stored);

    /// A call that was entered; `settle` it once.
    struct Entry {
        UnixMs day_ms = 0;
        Tokens tokens;
    };
    /// Errors: ResourceExhausted when the day's budget does not cover it.
    Result<Entry> enter(Tokens at_most, UnixMs now_ms);
    void settle(const Entry& entry, Tokens used, UnixMs now_ms);

    Tokens tokens_today(UnixMs now_ms) const;
    /// Minor units, rounded up.
    std::int64_t spent_minor_today(UnixMs now_ms) const;
    /// Millionths of a minor unit.
    std::int64_t cost_of(Tokens tokens) const;
    std::string to_json() const;

  private:
    void begin_day(UnixMs now_ms);
    bool is_today(UnixMs now_ms) const;

    const std::int64_t input_price_;
    const std::int64_t output_price_;
    const std::int64_t budget_;      ///< millionths; 0: none
    const std::int64_t tokens_max_;  ///< of input and output together
    UnixMs day_ms_ = 0;
    Tokens tokens_;
};

}  // namespace a2h::model
