#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace a2h::http {

/// TLS for a plain server on loopback: accepts connections, speaks TLS 1.2 or newer, and passes the
/// bytes on, so that `Server` and the code above need not know about it.
///
/// Certificates are read once; new ones need a restart.
class TlsFront {
  public:
    struct Options {
        std::string address = "127.0.0.1";
        std::uint16_t port = 0;                    ///< 0: any free port
        std::filesystem::path certificate_file{};  ///< PEM, the server's certificate first
        std::filesystem::path key_file{};          ///< PEM, without a password
        std::uint16_t target_port = 0;             ///< port of the plain server on 127.0.0.1
        std::size_t connections_max = 256;         ///< further connections are closed at once
        std::chrono::seconds handshake_timeout{10};
    };

    /// Errors:  Conflict if the port is in use; InvalidArgument for a bad address, or for files
    ///          that are not a certificate and its key.
    static Result<std::unique_ptr<TlsFront>> start(Options options);
    /// Closes all connections.
    ~TlsFront();
    std::uint16_t port() const;

  private:
    struct Impl;
    explicit TlsFront(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
