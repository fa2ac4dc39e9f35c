#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fd.h"

namespace a2h::test {

/// Every time-out of a test is multiplied by this, because sanitizers slow programs down.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 4;
#else
inline constexpr int kSlowdown = 1;
#endif

/// A child process in a process group of its own; ended by id when the object goes. Each timeout
/// here and below is stretched by `kSlowdown`.
class Process {
  public:
    struct Options {
        std::vector<std::string> argv;  ///< argv[0]: path, or a name found in PATH and /usr/sbin
        std::map<std::string, std::string> environment{};  ///< added to ours
        std::filesystem::path stdout_file{};               ///< empty: a pipe, see `read_line`
        std::filesystem::path stderr_file{};               ///< empty: inherited
        bool pipe_stdin = false;
    };

    explicit Process(Options options);
    ~Process();  ///< SIGTERM, 3 s, SIGKILL
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t pid() const { return pid_; }
    bool running();
    void signal(int number);
    /// SIGKILL and wait.
    void kill();
    /// SIGTERM and wait; exit status, or 128 + signal; nullopt when `timeout` passed.
    std::optional<int> stop(std::chrono::milliseconds timeout = std::chrono::seconds(5));
    std::optional<int> wait(std::chrono::milliseconds timeout);

    /// Next line of stdout without LF; nullopt at the end or after `timeout`.
    std::optional<std::string> read_line(std::chrono::milliseconds timeout);
    /// Everything on stdout until it closes.
    std::string read_all(std::chrono::milliseconds timeout);
    void write(std::string_view text);
    void close_stdin();
    /// Stops reading its stdout.
    void close_stdout();

  private:
    pid_t pid_ = -1;
    int stdout_ = -1;
    int stdin_ = -1;
    std::string buffer_;
    std::optional<int> exit_status_;
};

/// Runs to the end; for commands in tests.
struct Ran {
    int status = -1;
    std::string out;
    std::string err;
};
Ran run(std::vector<std::string> argv, std::map<std::string, std::string> environment = {},
        std::string_view input = {}, std::chrono::milliseconds timeout = std::chrono::seconds(30));

/// Environment with which a program loads `library` before its own libraries.
std::map<std::string, std::string> preloading(const std::string& library);

/// A TCP port on loopback that was free a moment ago.
std::uint16_t free_port();
/// Keeps `port` out of `free_port()` of all programs while the result lives. Connections to it are
/// refused, and a server can be started on it.
Fd hold_port(std::uint16_t port);

/// The time that a program may take until it listens, on a busy machine.
inline constexpr std::chrono::seconds kStartTimeMax{30};

/// Polls `condition` until it holds, at first every 2 ms and later every 40 ms; false after
/// `timeout`.
bool eventually(const std::function<bool()>& condition,
                std::chrono::milliseconds timeout = std::chrono::seconds(30));

}  // namespace a2h::test
