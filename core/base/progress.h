#pragma once

#include <cstdint>
#include <string_view>

namespace a2h {

/// Receives the progress of work that may take long. The work is independent of terminals; the
/// caller decides what is shown.
///
/// Thread:  one at a time.
class Progress {
  public:
    virtual ~Progress() = default;

    /// `done` of `total` units of `what` are complete; a `total` of 0 means unknown. `what` is a
    /// locale key `progress.…` of at most 40 characters, whose text names the work. Cheap enough to
    /// be called for each of thousands of rows.
    virtual void show(std::string_view what, std::uint64_t done, std::uint64_t total) = 0;
    /// The work has ended, successfully or not.
    virtual void end() = 0;
};

/// Shows nothing; for work that nobody waits for.
Progress& no_progress();

}  // namespace a2h
