#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace a2h::cli {

/// The demo's child programs, and the signals that end it.
///
/// Children run in process groups of their own, so that Ctrl-C reaches only the demo, which ends
/// them in reverse order; the kernel ends them if the demo is killed. The object blocks SIGINT,
/// SIGTERM, SIGHUP and SIGCHLD in its thread: create it before any other thread starts.
///
/// Thread:  the one that created it.
class Supervisor {
  public:
    /// Why a wait ended.
    enum class Wake {
        Done,         ///< the condition is true
        TimedOut,     ///< the condition did not become true in time
        Interrupted,  ///< the user wants the demo to end
        ChildEnded,   ///< a program that should be running has ended; see `ended_child`
    };

    Supervisor();
    ~Supervisor();  ///< stops all children
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    /// Starts a program that has to run until the end; its output goes to `log`.
    ///
    /// Errors:  Unavailable.
    Result<void> start(const std::string& name, std::vector<std::string> argv,
                       const std::filesystem::path& log);
    /// Runs a program to its end, at most for `kStopTimeout`; its stdout goes to `out`.
    ///
    /// Errors:  Unavailable with its exit status.
    Result<void> run(std::vector<std::string> argv, const std::filesystem::path& out);

    /// Checks `condition` every `kPoll` and after every signal.
    Wake wait(const std::function<bool()>& condition, std::chrono::milliseconds timeout);

    /// Ends the children in reverse order: SIGTERM, `kStopTimeout` each, then SIGKILL.
    void stop_all();

    struct Child {
        std::string name;
        pid_t pid = -1;
        std::filesystem::path log;
    };
    /// The child that ended by itself.
    const std::optional<Child>& ended_child() const { return ended_child_; }

    static constexpr std::chrono::milliseconds kPoll{30};
    static constexpr std::chrono::seconds kStopTimeout{8};

  private:
    void reap();
    void stop(const Child& child);

    sigset_t signals_{};
    sigset_t mask_before_{};
    std::vector<Child> children_;
    std::optional<Child> ended_child_;
};

}  // namespace a2h::cli
