#pragma once

#include <filesystem>

namespace a2h::bench {

/// One requester's a2hd and `parties` agents that answer at once, over a real broker: what three
/// rounds take until the last of them is told how it ended. Files are written below `dir`.
void measure_rounds(const std::filesystem::path& dir, int parties);

/// What `count` negotiations that wait for an answer cost one a2hd in memory.
void measure_waiting(const std::filesystem::path& dir, int count);

}  // namespace a2h::bench
