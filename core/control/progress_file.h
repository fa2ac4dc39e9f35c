#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/control/socket_io.h"

namespace a2h::control {

/// One line in home/run/progress (0600) in which a2hd reports its progress. So `a2h` can show the
/// progress of a start, a migration or a backup in another process, and no answer has to wait for
/// it. If the file cannot be written, progress is not shown and the work continues.
///
/// Thread:  one at a time.
class ProgressFile : public Progress {
  public:
    /// Creates the file at the first report.
    explicit ProgressFile(std::filesystem::path file) : file_(std::move(file)) {}
    ~ProgressFile() override;

    void show(std::string_view what, std::uint64_t done, std::uint64_t total) override;
    void end() override;

  private:
    void write(const std::string& line);

    const std::filesystem::path file_;
    Fd fd_;
    std::string what_;  ///< last reported; empty: no work is in progress
    std::chrono::steady_clock::time_point written_at_{};
};

/// The progress of some work.
struct ProgressStep {
    std::string what;  ///< a locale key, see `Progress::show`
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// The content of the file; absent if no work is in progress or the process that wrote it has
/// ended.
///
/// Thread:  any.
std::optional<ProgressStep> read_progress(const std::filesystem::path& file);

}  // namespace a2h::control
