#pragma once

#include <termios.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>

#include "cli/top_frame.h"

namespace a2h::cli {

/// Shows the whole terminal on its alternate screen during its lifetime; the previous content is
/// restored, also after Ctrl-C. One at a time.
///
/// Thread:  main.
class Screen {
  public:
    Screen();
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// The current size, which can change.
    ScreenSize size() const;
    void draw(const std::string& frame) const;

    enum class Wake { Time, Resized, Quit };
    /// Waits until `time` is over, the size has changed, or the user wants to leave: q, Ctrl-C, or
    /// the terminal has gone.
    Wake wait(std::chrono::milliseconds time) const;

  private:
    static constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGWINCH};

    bool has_settings_ = false;
    termios settings_{};
    sigset_t mask_{};  ///< the previous mask
    std::array<struct sigaction, kSignals.size()> actions_{};
};

}  // namespace a2h::cli
