#pragma once

#include <filesystem>
#include <string>

namespace a2h::bench {

/// Prints the properties of the machine that the figures depend on. Ends the bench when `dir` is on
/// a tmpfs, whose fsync does nothing.
void print_machine(const std::filesystem::path& dir, const std::filesystem::path& bin);

/// Median of writing 4 KiB and fsync in `dir`, in microseconds.
double fsync_microseconds(const std::filesystem::path& dir);

}  // namespace a2h::bench
