#pragma once

#include <cstdint>
#include <string_view>

namespace a2h {

/// Is told how far something is that may take long. The work knows nothing of terminals; who waits
/// for it decides what is shown. Thread: one at a time.
class Progress {
  public:
    virtual ~Progress() = default;

    /// `done` of `total` units of `what` are there; `total` 0: nobody knows how many there are.
    /// `what` is a locale key of at most 40 characters, `progress.…`, whose text says what is
    /// being done. Cheap enough for each row of thousands.
    virtual void show(std::string_view what, std::uint64_t done, std::uint64_t total) = 0;
    /// It is over, however it ended.
    virtual void end() = 0;
};

/// Shows nothing; for callers that nobody waits for.
Progress& no_progress();

}  // namespace a2h
