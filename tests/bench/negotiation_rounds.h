#pragma once

#include <filesystem>

namespace a2h::bench {

/// One requester's a2hd and `parties` agents that answer at once, over a real broker: the time of
/// three rounds until the last agent has the result. Files are written below `dir`.
void measure_rounds(const std::filesystem::path& dir, int parties);

/// The memory that `count` negotiations that wait for an answer take in one a2hd.
void measure_waiting(const std::filesystem::path& dir, int count);

}  // namespace a2h::bench
