#include "core/http/connection.h"

#include <unistd.h>

// Boost's network headers take seconds to compile: see also server.cpp and tls_front.cpp.
#include <algorithm>
#include <array>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "core/base/log.h"
#include "core/http/answer.h"
#include "core/http/body_file.h"
#include "core/http/pieces.h"
#include "core/http/target.h"

namespace a2h::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<tcp, Strand>;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Strand>;

/// After a refusal, further data of the client is read and dropped for this long. Closing with
/// unread data would reset the connection, and the client would not see the answer.
constexpr std::chrono::seconds kDrainPatience{2};
/// If a body is slower than this for longer than the idle time-out, it is cut: 128 kbit/s.
constexpr std::uint64_t kBytesPerSecondMin = 16 * 1024;
/// The part of a body that is in memory if it comes from a file or goes to one.
constexpr std::size_t kPartBytes = 16 * 1024;
constexpr std::size_t kReadBytes = 4 * 1024;

std::string host_and_port(const tcp::endpoint& endpoint) {
    const std::string host = endpoint.address().to_string();
    const std::string port = ":" + std::to_string(endpoint.port());
    return (endpoint.address().is_v6() ? "[" + host + "]" : host) + port;
}

/// nullopt if the target is not an absolute path that can be decoded.
std::optional<Request> to_request(const bhttp::request_header<>& header,
                                  const std::string& remote_address,
                                  const std::string& local_address) {
    Request request;
    if (!read_target(header.target(), request)) return std::nullopt;
    request.method = header.method_string();
    request.remote_address = remote_address;
    request.local_address = local_address;
    for (const auto& field : header) {
        std::string name(field.name_string());
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        request.headers.emplace_back(std::move(name), std::string(field.value()));
    }
    return request;
}

Response plain(int status, std::string_view sentence) {
    return {status,
            {{"Content-Type", "text/plain; charset=utf-8"}},
            std::string(sentence).append("\n")};
}

/// An answer that the server itself makes.
Response refusal(const Server::Options& options, const Request& request, int status,
                 std::string_view sentence) {
    return options.refusal ? options.refusal(request, status, sentence) : plain(status, sentence);
}

/// Handlers must not throw. If one does, the process must not end.
template <typename Answer, typename Function>
Answer guarded_call(const Function& function, const Server::Options& options,
                    const Request& request) {
    try {
        return function(request);
    } catch (const std::exception& e) {
        log::error("A request handler threw an exception",
                   {{"path", request.path}, {"what", e.what()}});
    } catch (...) {
        log::error("A request handler threw an exception", {{"path", request.path}});
    }
    return refusal(options, request, 500, "internal error");
}

/// One connection. It is kept alive by the callback of the pending operation, and registered so
/// that stopping can find it. All of it runs on its strand, except that `ServerParts::handlers`
/// runs handlers which may block.
class Connection : public OpenConnection, public std::enable_shared_from_this<Connection> {
  public:
    Connection(const ServerParts& server, Socket socket)
        : server_(server),
          socket_(std::move(socket)),
          timer_(socket_.get_executor()),
          buffer_(server.options.header_bytes_max) {
        error_code ignored;
        remote_address_ = socket_.remote_endpoint(ignored).address().to_string();
        local_address_ = host_and_port(socket_.local_endpoint(ignored));
        socket_.set_option(tcp::no_delay(true), ignored);
    }
    ~Connection() override { server_.open.leave(*this); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start() {
        asio::dispatch(socket_.get_executor(),
                       [self = shared_from_this()] { self->begin_request(); });
    }

    void stop() override {
        asio::post(socket_.get_executor(), [self = shared_from_this()] {
            self->closing_ = true;
            self->stopping_ = true;
            error_code ignored;
            if (self->idle_) self->socket_.cancel(ignored);
        });
    }

  private:
    /// Called after bytes were read or written. A failed operation ends the connection, because
    /// nothing follows.
    using Next = void (Connection::*)();

    void read(Next next) {
        const std::size_t room = buffer_.max_size() - buffer_.size();
        socket_.async_read_some(
            buffer_.prepare(std::min(kReadBytes, room)),
            [self = shared_from_this(), next](error_code error, std::size_t bytes) {
                if (error) return;
                self->buffer_.commit(bytes);
                self->progress_bytes_ += bytes;
                ((*self).*next)();
            });
    }

    /// Both texts must live until `next`.
    void send(std::string_view head, std::string_view body, Next next) {
        const std::array buffers{asio::const_buffer(head.data(), head.size()),
                                 asio::const_buffer(body.data(), body.size())};
        asio::async_write(socket_, buffers,
                          [self = shared_from_this(), next](error_code error, std::size_t bytes) {
                              if (error) return;
                              self->progress_bytes_ += bytes;
                              ((*self).*next)();
                          });
    }

    /// The connection is closed at this time. The timer is changed only if it would be too late.
    void set_deadline(Clock::time_point at) {
        deadline_ = at;
        if (at < timer_at_) wait_until(at);
    }
    void wait_until(Clock::time_point at) {
        timer_at_ = at;
        timer_.expires_at(at);
        timer_.async_wait([weak = weak_from_this()](error_code cancelled) {
            const auto self = weak.lock();
            if (!cancelled && self) self->on_timer();
        });
    }
    void on_timer() {
        timer_at_ = kNever;
        if (deadline_ == kNever) return;
        if (Clock::now() < deadline_) return wait_until(deadline_);
        error_code ignored;
        socket_.close(ignored);
    }
    void set_idle_deadline() { set_deadline(Clock::now() + server_.options.idle_timeout); }

    void start_progress() {
        progress_start_ = Clock::now();
        progress_bytes_ = 0;
    }
    /// Transferred bytes extend the deadline, so a long file may take long, and a client that sends
    /// bytes slowly still gains nothing. Time is never granted in advance.
    void set_progress_deadline() {
        const std::chrono::milliseconds bought(progress_bytes_ * 1000 / kBytesPerSecondMin);
        set_deadline(std::min(Clock::now(), progress_start_ + bought) +
                     server_.options.idle_timeout);
    }

    void begin_request() {
        request_ = {};
        upload_.reset();
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(server_.options.header_bytes_max));
        parser_->body_limit(
            boost::none);  // the limit is set when the destination of the body is known
        idle_ = buffer_.size() == 0;
        // One deadline for the whole header, so a client that sends bytes slowly gains nothing.
        set_idle_deadline();
        idle_ ? read(&Connection::read_header) : read_header();
    }

    void read_header() {
        idle_ = false;
        error_code error;
        buffer_.consume(parser_->put(buffer_.data(), error));
        if (error == bhttp::error::need_more) {
            if (buffer_.size() < buffer_.max_size()) return read(&Connection::read_header);
            error = bhttp::error::header_limit;
        }
        if (error) return refuse(error);
        if (!parser_->is_header_done()) return read(&Connection::read_header);
        take_header();
    }

    void take_header() {
        const auto& header = parser_->get();
        form_ = {header.version() < 11, header.keep_alive(), header.method() == bhttp::verb::head};
        auto request = to_request(header, remote_address_, local_address_);
        if (!request) return refuse_with(400, "the request target is malformed");
        request_ = std::move(*request);
        if (parser_->is_done()) return handle();
        if (!server_.choose_body) return take_choice({});
        in_handlers(
            [this] {
                return guarded_call<Server::BodyChoice>(server_.choose_body, server_.options,
                                                        request_);
            },
            [this](Server::BodyChoice choice) { take_choice(std::move(choice)); });
    }

    /// Runs `ask` on a thread that may block, and passes its result to `then` on the strand.
    template <typename Ask, typename Then>
    void in_handlers(Ask ask, Then then) {
        set_deadline(kNever);
        asio::post(server_.handlers, [self = shared_from_this(), ask, then]() mutable {
            auto answer = ask();
            const Strand strand = self->socket_.get_executor();
            // The last reference must be released on the strand, so it is moved there and not
            // copied.
            asio::post(strand, [self = std::move(self), then,
                                answer = std::move(answer)]() mutable { then(std::move(answer)); });
        });
    }

    void take_choice(Server::BodyChoice choice) {
        if (auto* refusal = std::get_if<Response>(&choice)) return refuse_with(std::move(*refusal));
        const auto* file = std::get_if<Server::BodyFile>(&choice);
        const std::uint64_t bytes_max = file ? file->bytes_max : server_.options.body_bytes_max;
        const auto announced = parser_->content_length();
        if (announced && *announced > bytes_max) return refuse(bhttp::error::body_limit);
        parser_->body_limit(bytes_max);
        parser_->eager(true);
        if (file) {
            upload_.emplace();
            if (const int error = upload_->create(file->path)) return cannot_store(error);
            request_.body_file = file->path;
        }
        start_progress();
        set_progress_deadline();
        if (!beast::iequals(request_.header("expect"), "100-continue")) return read_body();
        send("HTTP/1.1 100 Continue\r\n\r\n", {}, &Connection::read_body);
    }

    void read_body() {
        part_.resize(kPartBytes);
        std::size_t used = 0;
        std::size_t got = 0;
        do {
            auto& body = parser_->get().body();
            body.data = part_.data();
            body.size = part_.size();
            error_code error;
            used = parser_->put(buffer_.data(), error);
            buffer_.consume(used);
            if (error && error != bhttp::error::need_buffer && error != bhttp::error::need_more) {
                return refuse(error);
            }
            got = part_.size() - body.size;
            if (const int failed = take_body({part_.data(), got})) return cannot_store(failed);
            if (parser_->is_done()) return end_body();
        } while (used + got > 0);
        if (buffer_.size() == buffer_.max_size()) return refuse(bhttp::error::bad_chunk);
        set_progress_deadline();
        read(&Connection::read_body);
    }

    /// Returns 0 or errno.
    int take_body(std::string_view bytes) {
        if (upload_) return upload_->write(bytes);
        request_.body.append(bytes);
        return 0;
    }

    void end_body() {
        const int failed = upload_ ? upload_->close() : 0;
        failed ? cannot_store(failed) : handle();
    }

    void handle() {
        const auto run = [this] {
            return guarded_call<Response>(server_.handler, server_.options, request_);
        };
        if (server_.options.quick && server_.options.quick(request_)) return answer(run());
        in_handlers(run, [this](Response response) { answer(std::move(response)); });
    }

    void answer(Response response) {
        upload_.reset();
        form_.keep_alive = form_.keep_alive && !closing_;
        write(std::move(response));
    }

    void write(Response response) {
        if (!response.body_file.empty()) return write_file(std::move(response));
        if (response.stream) return write_stream(std::move(response));
        head_ = answer_head(response, form_, response.body.size());
        const bool has_body = may_carry_body(response.status) && !form_.head_only;
        body_ = has_body ? std::move(response.body) : std::string();
        set_idle_deadline();
        send(head_, body_, &Connection::written);
    }

    void write_file(Response response) {
        file_.emplace();
        const int error = file_->open(response.body_file);
        if (error == ENOENT) return write(refusal(404, "there is no such file"));
        if (error != 0) {
            log::error("A file could not be sent", {{"reason", std::strerror(error)}});
            return write(refusal(500, "internal error"));
        }
        const std::uint64_t size = file_->size();
        if (!take_range(request_, response, *file_)) {
            auto refused = refusal(416, "the file has " + std::to_string(size) + " bytes");
            refused.headers.emplace_back("Content-Range", "bytes */" + std::to_string(size));
            return write(std::move(refused));
        }
        head_ = answer_head(response, form_, file_->size());
        start_progress();
        set_progress_deadline();
        send(head_, {}, form_.head_only ? &Connection::written : &Connection::send_part);
    }

    void send_part() {
        part_.resize(kPartBytes);
        const std::ptrdiff_t count = file_->read(part_);
        if (count == 0) return written();
        if (count < 0) return;  // cut; the client sees this from the announced length
        set_progress_deadline();
        send({}, {part_.data(), static_cast<std::size_t>(count)}, &Connection::send_part);
    }

    void write_stream(Response response) {
        closing_ = true;
        form_.keep_alive = false;
        head_ = answer_head(response, form_, std::nullopt);
        begin_stream_ = std::move(response.stream);
        set_idle_deadline();
        send(head_, {}, form_.head_only ? &Connection::written : &Connection::stream);
    }

    void stream() {
        if (stopping_) return;
        pieces_ = std::make_shared<Pieces>([weak = weak_from_this()] {
            const auto self = weak.lock();
            if (!self) return;
            asio::post(self->socket_.get_executor(), [self] { self->pump(); });
        });
        idle_ = true;  // stopping does not wait for it
        set_deadline(kNever);
        watch();
        begin_stream_(pieces_);
    }

    /// Reads nothing that is needed, but notices if the other side disconnects.
    void watch() {
        socket_.async_read_some(asio::buffer(dropped_),
                                [self = shared_from_this()](error_code error, std::size_t) {
                                    error ? self->pieces_->cut() : self->watch();
                                });
    }

    void pump() {
        if (pumping_ || stopping_) return;
        auto piece = pieces_->take();
        if (!piece) {
            error_code ignored;
            if (pieces_->ended()) socket_.cancel(ignored);
            return;
        }
        pumping_ = true;
        body_ = std::move(*piece);
        set_idle_deadline();
        send({}, body_, &Connection::pumped);
    }

    void pumped() {
        pumping_ = false;
        set_deadline(kNever);
        pump();
    }

    void written() {
        file_.reset();
        if (form_.keep_alive && !closing_) return begin_request();
        drain();
    }

    /// `error` comes from the parser; disconnected and slow clients were handled before.
    void refuse(error_code error) {
        if (closing_) return;
        if (error == bhttp::error::body_limit) return refuse_with(413, "the body is too large");
        if (error == bhttp::error::header_limit) {
            return refuse_with(431, "the header is too large");
        }
        refuse_with(400, "the request is malformed");
    }

    void cannot_store(int error) {
        log::error("An upload could not be stored", {{"reason", std::strerror(error)}});
        if (error == ENOSPC || error == EDQUOT) {
            return refuse_with(507, "there is no room to store this; try again later");
        }
        refuse_with(500, "internal error");
    }

    Response refusal(int status, std::string_view sentence) const {
        return http::refusal(server_.options, request_, status, sentence);
    }

    void refuse_with(int status, std::string_view sentence) {
        refuse_with(refusal(status, sentence));
    }

    void refuse_with(Response response) {
        closing_ = true;
        upload_.reset();
        form_ = {};
        write(std::move(response));
    }

    /// Announces the end of our data, and reads until the client does the same.
    void drain() {
        if (stopping_) return;
        error_code ignored;
        socket_.shutdown(tcp::socket::shutdown_send, ignored);
        set_deadline(Clock::now() + kDrainPatience);
        idle_ = true;  // stopping does not wait for it
        drain_some();
    }

    void drain_some() {
        socket_.async_read_some(asio::buffer(dropped_),
                                [self = shared_from_this()](error_code error, std::size_t) {
                                    if (!error) self->drain_some();
                                });
    }

    static constexpr Clock::time_point kNever = Clock::time_point::max();

    const ServerParts server_;
    Socket socket_;
    Timer timer_;
    Clock::time_point timer_at_ = kNever;  ///< when `timer_` expires
    Clock::time_point deadline_ = kNever;
    beast::flat_buffer buffer_;
    std::string remote_address_;
    std::string local_address_;
    std::optional<bhttp::request_parser<bhttp::buffer_body>> parser_;
    std::optional<IncomingFile> upload_;
    Request request_;
    AnswerForm form_;
    std::string head_;  ///< of the answer being sent
    std::string body_;  ///< of that answer, or one piece of it
    std::optional<OutgoingFile> file_;
    std::vector<char> part_;  ///< for a body that goes to a file or comes from one
    std::function<void(std::shared_ptr<Stream>)> begin_stream_;
    std::shared_ptr<Pieces> pieces_;  ///< shared with the handler that sends them
    bool pumping_ = false;
    std::array<char, 4096> dropped_{};
    Clock::time_point progress_start_;
    std::uint64_t progress_bytes_ = 0;
    bool idle_ = false;
    bool closing_ = false;   ///< this request is the last one
    bool stopping_ = false;  ///< the whole server is stopping
};

}  // namespace

void serve(const ServerParts& server, int descriptor, bool is_ipv6) {
    Socket socket(asio::make_strand(server.io));
    error_code error;
    socket.assign(is_ipv6 ? tcp::v6() : tcp::v4(), descriptor, error);
    if (error) {
        ::close(descriptor);
        return;
    }
    const auto connection = std::make_shared<Connection>(server, std::move(socket));
    if (server.open.enter(connection)) connection->start();
}

}  // namespace a2h::http
