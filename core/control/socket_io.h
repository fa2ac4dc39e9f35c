#pragma once

#include <sys/un.h>

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace a2h::control {

/// A file descriptor that is closed by its destructor.
class Fd {
  public:
    explicit Fd(int fd = -1) : fd_(fd) {}
    ~Fd() { reset(); }
    Fd(Fd&& other) noexcept : fd_(other.release()) {}
    Fd& operator=(Fd&& other) noexcept;
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release();
    void reset(int fd = -1);

  private:
    int fd_;
};

/// Errors:  InvalidArgument if `path` does not fit into a socket address (107 bytes).
Result<sockaddr_un> unix_address(const std::filesystem::path& path);

/// A connected stream socket.
///
/// Errors:  as `unix_address`; Unavailable if no process listens.
Result<Fd> connect_unix(const std::filesystem::path& path);

/// Text of the current errno, for messages.
std::string errno_text();

}  // namespace a2h::control
