#include "core/http/server.h"

// The only file of the project that includes Boost's network headers: they cost seconds each time.
#include <algorithm>
#include <array>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <cerrno>
#include <ctime>
#include <deque>
#include <future>
#include <optional>
#include <thread>
#include <unordered_set>

#include "core/base/guarded.h"
#include "core/base/log.h"
#include "core/http/byte_range.h"
#include "core/http/target.h"

namespace a2h::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<tcp, Strand>;

constexpr std::chrono::seconds kStopPatience{2};
/// After a refusal the rest of what the client sends is read and dropped for this long, because
/// closing with unread data resets the connection and the client never sees the answer.
constexpr std::chrono::seconds kDrainPatience{2};
constexpr std::chrono::milliseconds kAcceptRetry{100};
/// Slower than this for longer than the idle time-out, and a body is cut: 128 kbit/s.
constexpr std::uint64_t kBytesPerSecondMin = 16 * 1024;

const boost::system::error_category& kHttpErrors =
    bhttp::make_error_code(bhttp::error::end_of_stream).category();

/// nullopt when the target is not an absolute path that can be decoded.
std::optional<Request> to_request(const bhttp::request_header<>& header,
                                  const std::string& remote_address) {
    Request request;
    if (!read_target(header.target(), request)) return std::nullopt;
    request.method = header.method_string();
    request.remote_address = remote_address;
    for (const auto& field : header) {
        std::string name(field.name_string());
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        request.headers.emplace_back(std::move(name), std::string(field.value()));
    }
    return request;
}

std::string http_date() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[40];
    const std::size_t length =
        std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return std::string(text, length);
}

bool may_carry_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

struct AnswerForm {
    unsigned version = 11;
    bool keep_alive = false;
    bool head_only = false;
};

template <typename Body>
void fill_header(bhttp::response<Body>& message, const Response& response, const AnswerForm& form,
                 std::optional<std::uint64_t> body_bytes) {
    message.version(form.version);
    message.result(static_cast<unsigned>(response.status));
    message.set(bhttp::field::date, http_date());
    for (const auto& [name, value] : response.headers)
        message.insert(name, value);
    message.keep_alive(form.keep_alive);
    if (may_carry_body(response.status) && body_bytes) message.content_length(*body_bytes);
}

Response plain(int status, std::string_view sentence) {
    return {status,
            {{"Content-Type", "text/plain; charset=utf-8"}},
            std::string(sentence).append("\n")};
}

/// What the server answers by itself.
Response refusal(const Server::Options& options, const Request& request, int status,
                 std::string_view sentence) {
    return options.refusal ? options.refusal(request, status, sentence) : plain(status, sentence);
}

/// Handlers must not throw, but no request may end the process if one does.
template <typename Answer, typename Function>
Answer guarded_call(const Function& function, const Server::Options& options,
                    const Request& request) {
    try {
        return function(request);
    } catch (const std::exception& e) {
        log::error("A request handler threw.", {{"path", request.path}, {"what", e.what()}});
    } catch (...) {
        log::error("A request handler threw.", {{"path", request.path}});
    }
    return refusal(options, request, 500, "internal error");
}

/// The file a body is written to. Removed with this object, unless the handler has moved it away.
class Upload {
  public:
    explicit Upload(std::filesystem::path path) : path_(std::move(path)) {}
    ~Upload() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;

  private:
    std::filesystem::path path_;
};

/// A body of Beast: a file, or a part of one, read in pieces while it is sent. Beast's own file
/// body always ends with the file.
struct FilePart {
    class value_type {
      public:
        /// The whole file, with the size that it has now.
        void open(const char* path, error_code& error) {
            file_.open(path, beast::file_mode::scan, error);
            if (!error) left_ = file_.size(error);
        }
        void narrow(const ByteRange& range, error_code& error) {
            file_.seek(range.first, error);
            left_ = range.count;
        }
        std::uint64_t size() const { return left_; }

      private:
        friend struct FilePart;
        beast::file_posix file_;
        std::uint64_t left_ = 0;
    };

    static std::uint64_t size(const value_type& body) { return body.size(); }

    class writer {
      public:
        using const_buffers_type = asio::const_buffer;

        template <bool kIsRequest, class Fields>
        writer(beast::http::header<kIsRequest, Fields>&, value_type& body) : body_(body) {}

        void init(error_code& error) { error = {}; }

        boost::optional<std::pair<const_buffers_type, bool>> get(error_code& error) {
            const std::size_t wanted = std::min<std::uint64_t>(buffer_.size(), body_.left_);
            if (wanted == 0) return boost::none;
            const std::size_t count = body_.file_.read(buffer_.data(), wanted, error);
            if (!error && count == 0) error = beast::http::error::short_read;
            if (error) return boost::none;
            body_.left_ -= count;
            return {{const_buffers_type(buffer_.data(), count), body_.left_ > 0}};
        }

      private:
        value_type& body_;
        std::array<char, 16 * 1024> buffer_;
    };
};

/// An answer whose body is read from a file while it is sent.
struct FileAnswer {
    bhttp::response<FilePart> message;
    std::optional<bhttp::response_serializer<FilePart>> serializer;
};

/// The header of an answer whose end is the connection's.
struct StreamAnswer {
    bhttp::response<bhttp::empty_body> message;
    std::optional<bhttp::response_serializer<bhttp::empty_body>> serializer;
};

bool is_disk_error(const error_code& error) {
    if (error.category() != boost::system::system_category()) return false;
    constexpr std::array kDiskErrors{ENOSPC, EDQUOT, EFBIG, EIO, EROFS};
    return std::find(kDiskErrors.begin(), kDiskErrors.end(), error.value()) != kDiskErrors.end();
}

/// Narrows `body`, which is the whole file, to what `request` asks for; false when that cannot be.
bool take_range(const Request& request, Response& response, FilePart::value_type& body,
                error_code& error) {
    const std::uint64_t size = body.size();
    response.headers.emplace_back("Accept-Ranges", "bytes");
    const auto tag = std::find_if(response.headers.begin(), response.headers.end(),
                                  [](const auto& field) { return field.first == "ETag"; });
    const std::string_view condition = request.header("if-range");
    const bool applies =
        condition.empty() || (tag != response.headers.end() && condition == tag->second);
    if (response.status != 200 || request.method != "GET" || !applies) return true;
    const auto range = read_range(request.header("range"), size);
    if (!range) return true;
    if (range->count == 0) return false;
    body.narrow(*range, error);
    response.status = 206;
    response.headers.emplace_back("Content-Range",
                                  "bytes " + std::to_string(range->first) + "-" +
                                      std::to_string(range->first + range->count - 1) + "/" +
                                      std::to_string(size));
    return true;
}

}  // namespace

struct Server::Impl {
    class Session;
    class Pieces;

    /// Who is connected. `Session`s register themselves and leave in their destructor.
    struct Sessions {
        std::unordered_set<Session*> open;
        bool stopping = false;
        bool told = false;  ///< `no_session` is set

        bool is_last_gone() { return stopping && open.empty() && !std::exchange(told, true); }
    };

    Options options;
    Handler handler;
    ChooseBody choose_body;
    std::uint16_t port = 0;
    // Declared before `io`, whose destructor may still end sessions.
    Guarded<Sessions> sessions;
    std::promise<void> no_session;

    asio::io_context io;
    Strand accept_strand{asio::make_strand(io)};
    asio::basic_socket_acceptor<tcp, Strand> acceptor{accept_strand};
    asio::basic_waitable_timer<std::chrono::steady_clock,
                               asio::wait_traits<std::chrono::steady_clock>, Strand>
        accept_retry{accept_strand};
    // Keeps the I/O threads alive while the only work left is a handler that still runs.
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    asio::thread_pool handlers;
    std::vector<std::thread> io_threads;

    Impl(Options given, Handler given_handler, ChooseBody given_choice)
        : options(std::move(given)),
          handler(std::move(given_handler)),
          choose_body(std::move(given_choice)),
          handlers(static_cast<std::size_t>(std::max(1, options.handler_threads))) {}

    void accept();
    void begin_stop();
};

/// What a handler holds of a streamed answer. The session holds it, too, and takes from it.
class Server::Impl::Pieces : public Stream {
  public:
    explicit Pieces(std::weak_ptr<Session> session) : session_(std::move(session)) {}

    bool send(std::string piece) override;
    void close() override;

    /// The next piece; nullopt when there is none for now.
    std::optional<std::string> take() {
        return queue_.with([](Queue& queue) -> std::optional<std::string> {
            if (queue.pieces.empty()) return std::nullopt;
            std::string piece = std::move(queue.pieces.front());
            queue.pieces.pop_front();
            queue.bytes -= piece.size();
            return piece;
        });
    }
    bool ended() const {
        return queue_.with([](const Queue& queue) { return queue.ended; });
    }
    void cut() {
        queue_.with([](Queue& queue) { queue = Queue{{}, 0, true}; });
    }

  private:
    struct Queue {
        std::deque<std::string> pieces;
        std::size_t bytes = 0;
        bool ended = false;
    };
    void wake();

    const std::weak_ptr<Session> session_;
    Guarded<Queue> queue_;
};

/// One connection; lives in the pending operation's callback, and is registered so that stopping
/// can find it. Everything in it runs on its strand, except that `Impl::handlers` runs handlers
/// which may block.
class Server::Impl::Session : public std::enable_shared_from_this<Session> {
  public:
    Session(Impl& server, Socket socket)
        : server_(server), stream_(std::move(socket)), buffer_(server.options.header_bytes_max) {
        error_code ignored;
        const auto peer = stream_.socket().remote_endpoint(ignored);
        remote_address_ = peer.address().to_string();
        stream_.socket().set_option(tcp::no_delay(true), ignored);
    }
    ~Session() {
        const bool last = server_.sessions.with([this](Sessions& sessions) {
            sessions.open.erase(this);
            return sessions.is_last_gone();
        });
        if (last) server_.no_session.set_value();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// False when there are too many connections, or none may come any more.
    bool enter() {
        return server_.sessions.with([this](Sessions& sessions) {
            if (sessions.stopping || sessions.open.size() >= server_.options.connections_max) {
                return false;
            }
            return sessions.open.insert(this).second;
        });
    }

    void start() {
        asio::dispatch(stream_.get_executor(),
                       [self = shared_from_this()] { self->read_header(); });
    }

    /// Ends at once when nothing is being answered, else after the answer.
    void stop() {
        asio::post(stream_.get_executor(), [self = shared_from_this()] {
            self->closing_ = true;
            self->stopping_ = true;
            if (self->idle_) self->stream_.cancel();
        });
    }

    /// There is something in `pieces_`, or its end.
    void wake_stream() {
        asio::post(stream_.get_executor(), [self = shared_from_this()] { self->pump(); });
    }

  private:
    void read_header() {
        request_ = {};
        text_parser_.reset();
        file_parser_.reset();
        upload_.reset();
        header_parser_.emplace();
        header_parser_->header_limit(static_cast<std::uint32_t>(server_.options.header_bytes_max));
        header_parser_->body_limit(boost::none);  // known when it is known where the body goes
        idle_ = buffer_.size() == 0;
        // One deadline for the whole header: a client that trickles bytes gains nothing.
        stream_.expires_after(server_.options.idle_timeout);
        bhttp::async_read_header(
            stream_, buffer_, *header_parser_,
            [self = shared_from_this()](error_code error, std::size_t) { self->on_header(error); });
    }

    void on_header(error_code error) {
        idle_ = false;
        if (error) return refuse(error);
        const auto& header = header_parser_->get();
        form_ = {header.version(), header.keep_alive(), header.method() == bhttp::verb::head};
        auto request = to_request(header, remote_address_);
        if (!request) return refuse_with(400, "the request target is malformed");
        request_ = std::move(*request);
        if (header_parser_->is_done()) return handle();
        if (!server_.choose_body) return take_choice({});
        in_handlers(
            [this] {
                return guarded_call<BodyChoice>(server_.choose_body, server_.options, request_);
            },
            [this](BodyChoice choice) { take_choice(std::move(choice)); });
    }

    /// Runs `work` where it may block, and gives its answer to `then` back on the strand.
    template <typename Work, typename Then>
    void in_handlers(Work work, Then then) {
        stream_.expires_never();
        asio::post(server_.handlers, [self = shared_from_this(), work, then]() mutable {
            auto answer = work();
            const Strand strand = self->stream_.get_executor();
            // The last reference must go on the strand, so it is moved there, not copied.
            asio::post(strand, [self = std::move(self), then,
                                answer = std::move(answer)]() mutable { then(std::move(answer)); });
        });
    }

    void take_choice(BodyChoice choice) {
        if (auto* refusal = std::get_if<Response>(&choice)) return refuse_with(std::move(*refusal));
        const auto* file = std::get_if<BodyFile>(&choice);
        const std::uint64_t bytes_max = file ? file->bytes_max : server_.options.body_bytes_max;
        const auto announced = header_parser_->content_length();
        if (announced && *announced > bytes_max) return refuse(bhttp::error::body_limit);
        if (file) {
            file_parser_.emplace(std::move(*header_parser_));
            file_parser_->body_limit(bytes_max);
            error_code error;
            file_parser_->get().body().open(file->path.c_str(), beast::file_mode::write_new, error);
            if (error) return cannot_store(error);
            upload_.emplace(file->path);
            request_.body_file = file->path;
        } else {
            text_parser_.emplace(std::move(*header_parser_));
            text_parser_->body_limit(bytes_max);
        }
        begin_body();
    }

    void begin_body() {
        start_progress();
        if (!beast::iequals(request_.header("expect"), "100-continue")) return read_body();
        continue_ = {};
        continue_.result(bhttp::status::continue_);
        bhttp::async_write(stream_, continue_,
                           [self = shared_from_this()](error_code failed, std::size_t) {
                               if (!failed) self->read_body();
                           });
    }

    void read_body() { file_parser_ ? read_some(*file_parser_) : read_some(*text_parser_); }

    template <typename Parser>
    void read_some(Parser& parser) {
        parser.eager(true);
        stream_.expires_at(deadline());
        bhttp::async_read_some(
            stream_, buffer_, parser,
            [self = shared_from_this(), &parser](error_code error, std::size_t bytes) {
                if (error) return self->refuse(error);
                self->progress_bytes_ += bytes;
                parser.is_done() ? self->take_body(parser.get().body()) : self->read_some(parser);
            });
    }

    void take_body(std::string& body) {
        request_.body = std::move(body);
        handle();
    }
    void take_body(bhttp::file_body::value_type& body) {
        body.close();
        handle();
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
        answer_.emplace();
        fill_header(*answer_, response, form_, response.body.size());
        if (may_carry_body(response.status) && !form_.head_only) {
            answer_->body() = std::move(response.body);
        }
        stream_.expires_after(server_.options.idle_timeout);
        bhttp::async_write(stream_, *answer_,
                           [self = shared_from_this()](error_code error, std::size_t) {
                               if (!error) self->written();
                           });
    }

    void write_file(Response response) {
        file_answer_.emplace();
        error_code error;
        auto& body = file_answer_->message.body();
        body.open(response.body_file.c_str(), error);
        if (error == boost::system::errc::no_such_file_or_directory) {
            return write(refusal(404, "there is no such file"));
        }
        const std::uint64_t size = body.size();
        if (!error && !take_range(request_, response, body, error)) {
            auto refused = refusal(416, "the file has " + std::to_string(size) + " bytes");
            refused.headers.emplace_back("Content-Range", "bytes */" + std::to_string(size));
            return write(std::move(refused));
        }
        if (error) {
            log::error("A file could not be sent.", {{"reason", error.message()}});
            return write(refusal(500, "internal error"));
        }
        fill_header(file_answer_->message, response, form_, body.size());
        file_answer_->serializer.emplace(file_answer_->message).split(form_.head_only);
        start_progress();
        write_some();
    }

    void write_some() {
        stream_.expires_at(deadline());
        bhttp::async_write_some(
            stream_, *file_answer_->serializer,
            [self = shared_from_this()](error_code error, std::size_t bytes) {
                if (error) return;  // cut: the length that was announced tells the client
                self->progress_bytes_ += bytes;
                auto& serializer = *self->file_answer_->serializer;
                const bool done =
                    self->form_.head_only ? serializer.is_header_done() : serializer.is_done();
                done ? self->written() : self->write_some();
            });
    }

    void write_stream(Response response) {
        closing_ = true;
        form_.keep_alive = false;
        stream_answer_.emplace();
        fill_header(stream_answer_->message, response, form_, std::nullopt);
        stream_answer_->serializer.emplace(stream_answer_->message);
        stream_.expires_after(server_.options.idle_timeout);
        bhttp::async_write_header(stream_, *stream_answer_->serializer,
                                  [self = shared_from_this(), begin = std::move(response.stream)](
                                      error_code error, std::size_t) {
                                      if (error || self->stopping_) return;
                                      if (self->form_.head_only) return self->drain();
                                      self->pieces_ = std::make_shared<Pieces>(self);
                                      self->idle_ = true;  // stopping does not wait for it
                                      self->watch();
                                      begin(self->pieces_);
                                  });
    }

    /// Reads nothing that is wanted, but learns when the other side is gone.
    void watch() {
        stream_.expires_never();
        stream_.async_read_some(asio::buffer(dropped_),
                                [self = shared_from_this()](error_code error, std::size_t) {
                                    if (!error) return self->watch();
                                    self->pieces_->cut();
                                });
    }

    void pump() {
        if (pumping_ || stopping_) return;
        auto piece = pieces_->take();
        if (!piece) {
            if (pieces_->ended()) stream_.cancel();
            return;
        }
        pumping_ = true;
        piece_ = std::move(*piece);
        stream_.expires_after(server_.options.idle_timeout);
        asio::async_write(stream_, asio::buffer(piece_),
                          [self = shared_from_this()](error_code error, std::size_t) {
                              self->pumping_ = false;
                              if (error) self->pieces_->cut();
                              self->pump();
                          });
    }

    void written() {
        file_answer_.reset();
        if (form_.keep_alive && !closing_) return read_header();
        drain();
    }

    void refuse(error_code error) {
        if (closing_) return;
        if (error == bhttp::error::body_limit) {
            return refuse_with(413, "the body is too large");
        }
        if (error == bhttp::error::header_limit || error == bhttp::error::buffer_overflow) {
            return refuse_with(431, "the header is too large");
        }
        // A time-out has closed the socket already, and who hung up wants no answer.
        const bool hung_up =
            error == bhttp::error::end_of_stream || error == bhttp::error::partial_message;
        if (error.category() == kHttpErrors) {
            if (!hung_up) refuse_with(400, "the request is malformed");
            return;
        }
        // While a body goes to a file, what the system says is about the socket or about the disk.
        if (file_parser_ && is_disk_error(error)) cannot_store(error);
    }

    void cannot_store(const error_code& error) {
        log::error("An upload could not be stored.", {{"reason", error.message()}});
        if (error.value() == ENOSPC || error.value() == EDQUOT) {
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

    /// Says that no more comes from us, and reads until the client has said the same.
    void drain() {
        if (stopping_) return;
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        stream_.expires_after(kDrainPatience);
        idle_ = true;  // stopping does not wait for it
        drain_some();
    }

    void drain_some() {
        stream_.async_read_some(asio::buffer(dropped_),
                                [self = shared_from_this()](error_code error, std::size_t) {
                                    if (!error) self->drain_some();
                                });
    }

    void start_progress() {
        progress_start_ = std::chrono::steady_clock::now();
        progress_bytes_ = 0;
    }

    /// Bytes that have come or gone buy time, so that a long file may take long and a client that
    /// trickles still gains nothing; standing still is never paid for in advance.
    std::chrono::steady_clock::time_point deadline() const {
        const std::chrono::milliseconds bought(progress_bytes_ * 1000 / kBytesPerSecondMin);
        return std::min(std::chrono::steady_clock::now(), progress_start_ + bought) +
               server_.options.idle_timeout;
    }

    Impl& server_;
    beast::basic_stream<tcp, Strand> stream_;
    beast::flat_buffer buffer_;
    std::string remote_address_;
    std::optional<bhttp::request_parser<bhttp::empty_body>> header_parser_;
    std::optional<bhttp::request_parser<bhttp::string_body>> text_parser_;
    std::optional<bhttp::request_parser<bhttp::file_body>> file_parser_;
    std::optional<Upload> upload_;
    Request request_;
    bhttp::response<bhttp::empty_body> continue_;
    std::optional<bhttp::response<bhttp::string_body>> answer_;
    std::optional<FileAnswer> file_answer_;
    std::optional<StreamAnswer> stream_answer_;
    std::shared_ptr<Pieces> pieces_;  ///< shared with whoever sends them
    std::string piece_;               ///< the one that is being written
    bool pumping_ = false;
    std::array<char, 4096> dropped_{};
    std::chrono::steady_clock::time_point progress_start_;
    std::uint64_t progress_bytes_ = 0;
    AnswerForm form_;
    bool idle_ = false;
    bool closing_ = false;   ///< this request is the last one
    bool stopping_ = false;  ///< the whole server ends
};

bool Server::Impl::Pieces::send(std::string piece) {
    const bool taken = queue_.with([&](Queue& queue) {
        if (queue.ended) return false;
        if (queue.bytes + piece.size() > kWaitingBytesMax) {
            queue = Queue{{}, 0, true};
            return false;
        }
        queue.bytes += piece.size();
        queue.pieces.push_back(std::move(piece));
        return true;
    });
    wake();
    return taken;
}

void Server::Impl::Pieces::close() {
    queue_.with([](Queue& queue) { queue.ended = true; });
    wake();
}

void Server::Impl::Pieces::wake() {
    if (const auto session = session_.lock()) session->wake_stream();
}

void Server::Impl::accept() {
    acceptor.async_accept(asio::make_strand(io), [this](error_code error, Socket socket) {
        if (error == asio::error::operation_aborted || !acceptor.is_open()) return;
        if (error) {
            // Out of descriptors, most likely: accepting again at once would only spin.
            accept_retry.expires_after(kAcceptRetry);
            accept_retry.async_wait([this](error_code cancelled) {
                if (!cancelled) accept();
            });
            return;
        }
        const auto session = std::make_shared<Session>(*this, std::move(socket));
        if (session->enter()) session->start();
        accept();
    });
}

void Server::Impl::begin_stop() {
    error_code ignored;
    acceptor.close(ignored);
    accept_retry.cancel();
    std::vector<std::shared_ptr<Session>> running;
    const bool none = sessions.with([&running](Sessions& present) {
        present.stopping = true;
        for (Session* session : present.open) {
            if (auto shared = session->weak_from_this().lock()) running.push_back(shared);
        }
        return present.is_last_gone();
    });
    if (none) no_session.set_value();
    for (const auto& session : running)
        session->stop();
}

Result<std::unique_ptr<Server>> Server::start(Options options, Handler handler,
                                              ChooseBody choose_body) {
    error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) {
        return fail(ErrorCode::InvalidArgument,
                    "\"" + options.address + "\" is not an IP address to listen on");
    }
    const tcp::endpoint endpoint(address, options.port);
    auto impl =
        std::make_unique<Impl>(std::move(options), std::move(handler), std::move(choose_body));
    impl->acceptor.open(endpoint.protocol(), error);
    if (!error) impl->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) impl->acceptor.bind(endpoint, error);
    if (!error) impl->acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        const ErrorCode code =
            error == asio::error::address_in_use ? ErrorCode::Conflict : ErrorCode::InvalidArgument;
        return fail(code, "cannot listen on " + impl->options.address + " port " +
                              std::to_string(impl->options.port) + ": " + error.message());
    }
    impl->port = impl->acceptor.local_endpoint().port();
    impl->accept();
    for (int i = 0; i < std::max(1, impl->options.io_threads); ++i)
        impl->io_threads.emplace_back([io = &impl->io] { io->run(); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
    auto finished = impl_->no_session.get_future();
    asio::post(impl_->accept_strand, [impl = impl_.get()] { impl->begin_stop(); });
    finished.wait_for(kStopPatience);
    // A handler that still runs is waited for; its answer has nowhere to go any more.
    impl_->handlers.join();
    impl_->io.stop();
    for (auto& thread : impl_->io_threads)
        thread.join();
}

std::uint16_t Server::port() const {
    return impl_->port;
}

}  // namespace a2h::http
