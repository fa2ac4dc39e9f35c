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
    std::filesystem::path body_file;  ///< where the body went instead, see `Server::BodyFile`
    std::string remote_address;
    std::string local_address;  ///< what the client connected to: "127.0.0.1:80", "[::1]:80"

    /// Empty when absent.
    std::string_view header(std::string_view lower_case_name) const;
    std::string_view query_value(std::string_view name) const;
};

/// An answer that goes on: pieces are sent as they come, until one side ends it. The connection
/// ends with it. Thread: any.
class Stream {
  public:
    /// More than this that was not taken yet: the reader is too slow and is cut off.
    static constexpr std::size_t kWaitingBytesMax = 256 * 1024;

    virtual ~Stream() = default;
    /// Sends `piece` behind all others. False when nobody takes it any more.
    virtual bool send(std::string piece) = 0;
    /// Ends the answer behind all pieces.
    virtual void close() = 0;
    /// Whether it was cut off for not taking what was sent.
    virtual bool was_too_slow() const = 0;
};

struct Response {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body{};
    /// Sent instead of `body`, in pieces, when not empty; 404 when there is no such file. With
    /// status 200, to a GET with one `Range` (and no `If-Range`, or one that is the answer's
    /// `ETag`), only these bytes are sent with 206, or 416.
    std::filesystem::path body_file{};
    /// Called with the stream that is the body instead, when the header has left; on an I/O thread,
    /// so it must not block.
    std::function<void(std::shared_ptr<Stream>)> stream{};
};

/// The fields of an `application/x-www-form-urlencoded` body, decoded, in their order; nullopt for
/// a broken escape or a NUL.
using Fields = std::vector<std::pair<std::string, std::string>>;
std::optional<Fields> parse_form(std::string_view body);

/// HTTP/1.1 on one address over Boost.Beast: keep-alive, limits and time-outs on everything a
/// client controls.
///
/// `handler` runs on one of `handler_threads` threads and may block, except for requests that are
/// `quick`; it must not throw.
class Server {
  public:
    struct Options {
        std::string address = "127.0.0.1";
        std::uint16_t port = 0;  ///< 0: any free one
        /// Taken over instead of those two.
        std::optional<Listener> listener{};
        int handler_threads = 2;
        int io_threads = 1;
        /// True when the handler answers this request without waiting for anything: then it runs
        /// on the I/O thread; without the two changes of thread it costs 17 µs of CPU, not 29.
        std::function<bool(const Request&)> quick{};
        std::size_t header_bytes_max = 16 * 1024;
        std::size_t body_bytes_max = 1024 * 1024;
        std::size_t connections_max = 1024;
        /// Each of: idle between requests together with the whole header, the whole body, taking
        /// the answer. Bodies and files gain a second with each 16 KiB.
        std::chrono::seconds idle_timeout{30};
        /// Makes what the server answers by itself, with 400, 404, 413, 416, 431, 500 or 507 and an
        /// English sentence. Absent: that sentence as plain text. The request is empty when it
        /// could not be read. On any of the server's threads; must not throw.
        std::function<Response(const Request&, int status, std::string_view sentence)> refusal{};
    };
    using Handler = std::function<Response(const Request&)>;

    /// Where the body of a long upload goes, in pieces, so that it is never whole in memory.
    struct BodyFile {
        std::filesystem::path path;  ///< created, must not exist; moved by the handler or removed
        std::uint64_t bytes_max = 0;
    };
    /// Asked when a request's header is there and before its body is read, if it has one:
    /// monostate keeps the body in memory, a file takes it, and a `Response` refuses it at once.
    /// The file is gone after an interrupted request and after a handler that left it where it was;
    /// a full disk is answered with 507. Same threads as `Handler`.
    using BodyChoice = std::variant<std::monostate, BodyFile, Response>;
    using ChooseBody = std::function<BodyChoice(const Request&)>;

    /// Errors: Conflict when the port is taken; InvalidArgument for a bad address.
    static Result<std::unique_ptr<Server>> start(Options options, Handler handler,
                                                 ChooseBody choose_body = {});

    /// Stops accepting, answers what runs, closes; at most 2 s, or as long as a handler runs.
    ~Server();
    std::uint16_t port() const;

  private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
