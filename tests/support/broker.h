#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/process.h"

namespace a2h::test {

/// A real mosquitto on a free loopback port, with persistence in `dir`. Anonymous clients may do
/// everything; the market's tests write their own configuration and use `Process`.
class Broker {
  public:
    /// `extra`: further lines for mosquitto.conf, such as TLS settings.
    explicit Broker(std::filesystem::path dir, std::string extra = {});

    std::uint16_t port() const { return port_; }
    std::string uri() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }
    Process& process() { return *process_; }

    void kill();   ///< SIGKILL
    void stop();   ///< SIGTERM: saves its database
    void start();  ///< on the same port; returns when it accepts connections

  private:
    std::filesystem::path dir_;
    std::string extra_;
    std::uint16_t port_;
    Fd held_port_;  ///< while it does not run
    std::unique_ptr<Process> process_;
};

}  // namespace a2h::test
