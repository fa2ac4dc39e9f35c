#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "daemon/model/settings.h"

namespace a2h::model {

/// The cost of one call, or the most that it may cost.
struct Tokens {
    std::int64_t input = 0;
    std::int64_t output = 0;
};

/// The model's usage of today. A day begins at midnight in the machine's time zone.
///
/// A call is entered with the most that it can cost before it is made, and corrected afterwards by
/// the endpoint's report. So after a crash, or without a report, the ledger counts too much rather
/// than nothing. Setting the clock back does not start a day again.
///
/// Units:   money in millionths of a minor unit, so that sums are exact.
/// Thread:  the loop.
class Ledger {
  public:
    /// `stored` is the last result of `to_json` before the restart; with any other text the ledger
    /// is empty.
    Ledger(const Settings& settings, std::string_view stored);

    /// A call that was entered. `settle` it once.
    struct Entry {
        UnixMs day_ms = 0;
        Tokens tokens;
    };
    /// Errors:  ResourceExhausted if the day's budget does not cover it.
    Result<Entry> enter(Tokens at_most, UnixMs now_ms);
    void settle(const Entry& entry, Tokens used, UnixMs now_ms);

    Tokens tokens_today(UnixMs now_ms) const;
    /// In minor units, rounded up.
    std::int64_t spent_minor_today(UnixMs now_ms) const;
    /// In millionths of a minor unit.
    std::int64_t cost_of(Tokens tokens) const;
    std::string to_json() const;

  private:
    void begin_day(UnixMs now_ms);
    bool is_today(UnixMs now_ms) const;

    const std::int64_t input_price_;
    const std::int64_t output_price_;
    const std::int64_t budget_;      ///< millionths; 0: none
    const std::int64_t tokens_max_;  ///< input and output together
    UnixMs day_ms_ = 0;
    Tokens tokens_;
};

}  // namespace a2h::model
