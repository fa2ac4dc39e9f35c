#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::test {

/// An HTTP server that follows a script for each connection, byte for byte: sends slowly, hangs,
/// resets, breaks off. On loopback, with real sockets; each connection has a thread, so that one
/// that hangs delays no other. A connection is closed when its script returns.
class ScriptedHttp {
  public:
    struct Request {
        int number = 0;  ///< from 0, in the order in which connections came
        std::string head;
        std::string body;

        /// The value of a header; empty when there is none. `lower_case_name`.
        std::string header(std::string_view lower_case_name) const;
    };

    /// The connection as the script sees it.
    class Peer {
      public:
        virtual ~Peer() = default;
        /// False once the client has gone.
        virtual bool send(std::string_view bytes) = 0;
        /// Piece by piece, `size` bytes each, every one in a packet of its own.
        virtual bool drip(std::string_view bytes, std::size_t size) = 0;
        /// Returns when the client has gone or the server ends.
        virtual void hang() = 0;
        /// Breaks the connection off with RST.
        virtual void reset() = 0;

        /// A whole answer with its length, after which the connection is closed.
        bool answer(int status, std::string_view body, std::string_view headers = {});
        /// The head of an answer that ends with the connection.
        bool begin_stream();
    };
    using Script = std::function<void(Peer& peer, const Request& request)>;

    explicit ScriptedHttp(Script script);
    ~ScriptedHttp();

    std::uint16_t port() const;
    std::string url(std::string_view path = "/") const;
    std::vector<Request> requests() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::test
