#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace a2h::test {

/// A stand-in of systemd for a service: the socket that $NOTIFY_SOCKET names.
class NotifySocket {
  public:
    /// `name`: a path, or '@' and an abstract name.
    explicit NotifySocket(std::string name);
    ~NotifySocket();
    NotifySocket(const NotifySocket&) = delete;
    NotifySocket& operator=(const NotifySocket&) = delete;

    const std::string& name() const { return name_; }
    /// The next message; absent after `timeout`, stretched by `kSlowdown`.
    std::optional<std::string> next(std::chrono::milliseconds timeout);
    /// All messages up to and including the first that begins with `start`; fails the test if it
    /// does not arrive in time.
    std::vector<std::string> until(const std::string& start, std::chrono::milliseconds timeout);
    /// True if no message begins with `start` for `quiet`; waits at most `timeout`.
    bool falls_silent(const std::string& start, std::chrono::milliseconds quiet,
                      std::chrono::milliseconds timeout);

  private:
    std::string name_;
    int fd_;
};

}  // namespace a2h::test
