#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/progress.h"

namespace a2h {

/// Draws progress: one line of a terminal that is redrawn, and removed at the end. This is the only
/// place that does so. If `stream` is not a terminal, or a dumb one, nothing is written.
class ProgressBar : public Progress {
  public:
    /// The text of a locale key.
    using Label = std::function<std::string(std::string_view what)>;
    /// Work that ends earlier shows nothing, so that nothing flickers.
    static constexpr std::chrono::milliseconds kQuiet{250};

    ProgressBar(std::FILE* stream, Label label, std::chrono::milliseconds quiet = kQuiet);
    ~ProgressBar() override;
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(std::string_view what, std::uint64_t done, std::uint64_t total) override;
    void end() override;
    /// Whether anything can be shown.
    bool is_seen() const { return is_terminal_; }

  private:
    using Time = std::chrono::steady_clock::time_point;

    std::string line(std::string_view what, std::uint64_t done, std::uint64_t total) const;

    std::FILE* const stream_;
    const Label label_;
    const std::chrono::milliseconds quiet_;
    const bool is_terminal_;
    std::string drawn_;  ///< empty: the line is empty
    Time begun_{};       ///< start of the current work; 0: none
    Time drawn_at_{};
};

}  // namespace a2h
