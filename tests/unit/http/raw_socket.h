#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace a2h::test {

/// A TCP connection that sends exactly the bytes it is told to: what no HTTP library would do.
class RawConnection {
  public:
    explicit RawConnection(std::uint16_t port);
    explicit RawConnection(int descriptor) : fd_(descriptor) {}
    ~RawConnection();
    RawConnection(const RawConnection&) = delete;
    RawConnection& operator=(const RawConnection&) = delete;

    /// False once the other side has gone.
    bool send(std::string_view bytes);
    /// Reads until `end` has come; what there is when the other side closes or says nothing for so
    /// long.
    std::string read_until(std::string_view end,
                           std::chrono::milliseconds patience = std::chrono::seconds(5));
    std::string read_all() { return read_until({}); }

  private:
    int fd_ = -1;
};

/// Listens on a free loopback port and gives each connection, with its number from 0, to `serve`.
class RawServer {
  public:
    explicit RawServer(std::function<void(RawConnection&, int number)> serve);
    ~RawServer();

    std::uint16_t port() const { return port_; }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }

  private:
    int fd_ = -1;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

}  // namespace a2h::test
