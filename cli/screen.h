#pragma once

#include <termios.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>

#include "cli/top_frame.h"

namespace a2h::cli {

/// The whole terminal, on its alternate screen, as long as this lives; what was there before comes
/// back, also after Ctrl-C. One at a time. Thread: main.
class Screen {
  public:
    Screen();
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// As it is now; people resize.
    ScreenSize size() const;
    void draw(const std::string& frame) const;

    enum class Wake { Time, Resized, Quit };
    /// Until `time` is over, the size has changed, or somebody wants to leave: q, Ctrl-C, or the
    /// terminal has gone.
    Wake wait(std::chrono::milliseconds time) const;

  private:
    static constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGWINCH};

    bool has_settings_ = false;
    termios settings_{};
    sigset_t mask_{};  ///< as it was before
    std::array<struct sigaction, kSignals.size()> actions_{};
};

}  // namespace a2h::cli
