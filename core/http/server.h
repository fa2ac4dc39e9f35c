#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/http/listen.h"

namespace a2h::http {

struct Request {
    std::string method;
    std::string target;                                        ///< path and query as sent
    std::string path;                                          ///< percent-decoded, without query
    std::vector<std::pair<std::string, std::string>> query;    ///< percent-decoded
    std::vector<std::pair<std::string, std::string>> headers;  ///< names lower-case
    std::string body;
    std::filesystem::path body_file;  ///< where the body was stored instead, see `Server::BodyFile`
    std::string remote_address;
    std::string local_address;  ///< the address the client connected to: "127.0.0.1:80", "[::1]:80"

    /// Empty if absent.
    std::string_view header(std::string_view lower_case_name) const;
    std::string_view query_value(std::string_view name) const;
};

/// A streamed answer: pieces are sent until one side ends it. The connection ends with it.
///
/// Thread:  any.
class Stream {
  public:
    /// If more bytes than this wait to be sent, the reader is too slow and is disconnected.
    static constexpr std::size_t kWaitingBytesMax = 256 * 1024;

    virtual ~Stream() = default;
    /// Sends `piece` after all earlier ones. False if the reader has gone.
    virtual bool send(std::string piece) = 0;
    /// Ends the answer after all pieces.
    virtual void close() = 0;
    /// Whether the reader was disconnected because it was too slow.
    virtual bool was_too_slow() const = 0;
};

struct Response {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body{};
    /// If not empty, sent in pieces instead of `body`; 404 if there is no such file. With status
    /// 200, to a GET with one `Range` (and no `If-Range`, or the answer's `ETag` in it), only these
    /// bytes are sent, with 206, or 416.
    std::filesystem::path body_file{};
    /// Called with the stream that is the body, after the header was sent; on an I/O thread, so it
    /// must not block.
    std::function<void(std::shared_ptr<Stream>)> stream{};
};

/// The decoded fields of an `application/x-www-form-urlencoded` body, in order; nullopt for a
/// broken escape or a NUL.
using Fields = std::vector<std::pair<std::string, std::string>>;
std::optional<Fields> parse_form(std::string_view body);

/// HTTP/1.1 on one address over Boost.Beast: keep-alive, and limits and time-outs for everything
/// that a client controls.
///
/// `handler` runs on one of `handler_threads` threads and may block, except for requests that are
/// `quick`. It must not throw.
class Server {
  public:
    struct Options {
        std::string address = "127.0.0.1";
        std::uint16_t port = 0;  ///< 0: any free port
        /// Used instead of those two.
        std::optional<Listener> listener{};
        int handler_threads = 2;
        int io_threads = 1;
        /// True if the handler answers this request without waiting for anything. It then runs on
        /// the I/O thread, which costs 17 µs of CPU and not 29, because there are two changes of
        /// thread fewer.
        std::function<bool(const Request&)> quick{};
        std::size_t header_bytes_max = 16 * 1024;
        std::size_t body_bytes_max = 1024 * 1024;
        std::size_t connections_max = 1024;
        /// For each of: idle time together with the whole header, the whole body, sending the
        /// answer. Bodies and files get another second for each 16 KiB.
        std::chrono::seconds idle_timeout{30};
        /// Makes the server's own answers, with 400, 404, 413, 416, 431, 500 or 507 and an English
        /// sentence. Absent: the sentence as plain text. The request is empty if it could not be
        /// read. Runs on any of the server's threads; must not throw.
        std::function<Response(const Request&, int status, std::string_view sentence)> refusal{};
    };
    using Handler = std::function<Response(const Request&)>;

    /// The file to which the body of a long upload is written in pieces, so that it is never
    /// completely in memory.
    struct BodyFile {
        std::filesystem::path path;  ///< created, must not exist; moved by the handler or removed
        std::uint64_t bytes_max = 0;
    };
    /// Called when a request's header was read and before its body, if it has one. monostate keeps
    /// the body in memory, a file stores it, and a `Response` refuses it at once. The file is
    /// removed after an interrupted request and after a handler that did not move it. A full disk
    /// is answered with 507. Runs on the same threads as `Handler`.
    using BodyChoice = std::variant<std::monostate, BodyFile, Response>;
    using ChooseBody = std::function<BodyChoice(const Request&)>;

    /// Errors:  Conflict if the port is in use; InvalidArgument for a bad address.
    static Result<std::unique_ptr<Server>> start(Options options, Handler handler,
                                                 ChooseBody choose_body = {});

    /// Stops accepting, finishes running requests and closes; takes at most 2 s, or as long as a
    /// handler runs.
    ~Server();
    std::uint16_t port() const;

  private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
