#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/base/guarded.h"
#include "core/base/log.h"

namespace a2h::log {

/// Keeps the last events, so that they can be read without a journal. Limited in number and bytes;
/// the oldest are removed first.
///
/// Thread:  any.
class Ring final : public Sink {
  public:
    static constexpr std::size_t kEventsMax = 2'000;
    static constexpr std::size_t kBytesMax = 1024 * 1024;
    /// Limit of one event's text; the rest is cut.
    static constexpr std::size_t kEventBytesMax = 4 * 1024;

    struct Kept {
        std::int64_t number = 0;  ///< counts up from 1 without gaps
        UnixMs at_ms = 0;
        Level level = Level::Info;
        std::string text;  ///< sentence and fields
    };

    bool take(const Event& event) override;

    struct Reading {
        std::vector<Kept> events;  ///< oldest first
        std::int64_t last = 0;     ///< number of the newest event; 0 if there is none
    };
    /// The newest events, at most `count`, with numbers above `after` and a severity of at least
    /// `level`.
    Reading read(std::int64_t after, Level level, std::size_t count) const;

  private:
    struct State {
        std::deque<Kept> events;
        std::size_t bytes = 0;
        std::int64_t last = 0;
    };
    Guarded<State> state_;
};

}  // namespace a2h::log
