#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/control/socket_io.h"

namespace a2h::control {

/// Where a2hd tells whoever waits for it how far it is: one line in home/run/progress (0600). So
/// `a2h` can show the progress of a start, a migration or a backup that another process makes, and
/// no answer has to wait for it. What nobody can write is not told; the work goes on.
/// Thread: one at a time.
class ProgressFile : public Progress {
  public:
    /// Makes the file when there is something to tell for the first time.
    explicit ProgressFile(std::filesystem::path file) : file_(std::move(file)) {}
    ~ProgressFile() override;

    void show(std::string_view what, std::uint64_t done, std::uint64_t total) override;
    void end() override;

  private:
    void write(const std::string& line);

    const std::filesystem::path file_;
    Fd fd_;
    std::string what_;  ///< told last; empty: nothing is under way
    std::chrono::steady_clock::time_point written_at_{};
};

/// How far something is.
struct ProgressStep {
    std::string what;  ///< a locale key, see `Progress::show`
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// What the file says; absent when nothing is under way or the process that wrote it is gone.
/// Thread: any.
std::optional<ProgressStep> read_progress(const std::filesystem::path& file);

}  // namespace a2h::control
