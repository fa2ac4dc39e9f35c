#include "core/http/server.h"

// The only file of the project that includes Boost's network headers: they cost seconds each time.
#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <ctime>
#include <future>
#include <list>
#include <optional>
#include <thread>

#include "core/base/log.h"

namespace a2h::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kStopPatience{2};
/// After a refusal the rest of what the client sends is read and dropped for this long, because
/// closing with unread data resets the connection and the client never sees the answer.
constexpr std::chrono::seconds kDrainPatience{2};
constexpr std::chrono::milliseconds kAcceptRetry{100};

const boost::system::error_category& kHttpErrors =
    bhttp::make_error_code(bhttp::error::end_of_stream).category();

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// nullopt for a broken escape and for NUL, which would cut texts short in C interfaces.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i] == '+' && plus_is_space ? ' ' : text[i];
        }
    }
    return out;
}

bool read_query(std::string_view text, Fields& query) {
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        if (pair.empty()) continue;
        const auto equals = std::min(pair.find('='), pair.size());
        const auto name = percent_decode(pair.substr(0, equals), true);
        const auto value = percent_decode(pair.substr(std::min(equals + 1, pair.size())), true);
        if (!name || !value) return false;
        query.emplace_back(*name, *value);
    }
    return true;
}

/// nullopt when the target is not an absolute path that can be decoded.
std::optional<Request> to_request(bhttp::request<bhttp::string_body>&& message,
                                  const std::string& remote_address) {
    Request request;
    request.method = message.method_string();
    request.target = message.target();
    request.remote_address = remote_address;
    const std::string_view target = request.target;
    if (!target.starts_with('/')) return std::nullopt;
    const auto path_end = std::min(target.find('?'), target.size());
    const auto path = percent_decode(target.substr(0, path_end), false);
    if (!path) return std::nullopt;
    request.path = *path;
    if (path_end < target.size() && !read_query(target.substr(path_end + 1), request.query)) {
        return std::nullopt;
    }
    for (const auto& field : message) {
        std::string name(field.name_string());
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        request.headers.emplace_back(std::move(name), std::string(field.value()));
    }
    request.body = std::move(message.body());
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

bhttp::response<bhttp::string_body> to_message(Response&& response, unsigned version,
                                               bool keep_alive, bool head_only) {
    bhttp::response<bhttp::string_body> message;
    message.version(version);
    message.result(static_cast<unsigned>(response.status));
    message.set(bhttp::field::date, http_date());
    for (const auto& [name, value] : response.headers)
        message.insert(name, value);
    message.keep_alive(keep_alive);
    if (may_carry_body(response.status)) message.content_length(response.body.size());
    if (may_carry_body(response.status) && !head_only) message.body() = std::move(response.body);
    return message;
}

Response plain(int status, std::string text) {
    return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text) + "\n"};
}

Response guarded_call(const Server::Handler& handler, const Request& request) {
    // Handlers must not throw, but no request may end the process if one does.
    try {
        return handler(request);
    } catch (const std::exception& e) {
        log::error("A request handler threw.", {{"path", request.path}, {"what", e.what()}});
    } catch (...) {
        log::error("A request handler threw.", {{"path", request.path}});
    }
    return plain(500, "internal error");
}

}  // namespace

struct Server::Impl {
    class Session;

    Options options;
    Handler handler;
    std::uint16_t port = 0;
    // The io thread's own. Declared before `io`, whose destructor may still end sessions.
    bool stopping = false;
    std::list<Session*> sessions;
    std::promise<void> no_session;  // set once, when stopping and the last session is gone

    asio::io_context io{1};
    // Keeps the io thread alive while the only work left is a handler that still runs.
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    tcp::acceptor acceptor{io};
    asio::steady_timer accept_retry{io};
    asio::thread_pool handlers;
    std::thread io_thread;

    Impl(Options given, Handler given_handler)
        : options(std::move(given)),
          handler(std::move(given_handler)),
          handlers(static_cast<std::size_t>(std::max(1, options.handler_threads))) {}

    void accept();
    void begin_stop();
    void session_ended(Session* session);
};

/// One connection; lives in the pending operation's callback, and is registered so that stopping
/// can find it. All members belong to the io thread, except that `Impl::handlers` runs the handler.
class Server::Impl::Session : public std::enable_shared_from_this<Session> {
  public:
    Session(Impl& server, tcp::socket socket)
        : server_(server), stream_(std::move(socket)), buffer_(server.options.header_bytes_max) {
        error_code ignored;
        const auto peer = stream_.socket().remote_endpoint(ignored);
        remote_address_ = peer.address().to_string();
        stream_.socket().set_option(tcp::no_delay(true), ignored);
        server_.sessions.push_back(this);
    }
    ~Session() { server_.session_ended(this); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void read_header() {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(server_.options.header_bytes_max));
        parser_->body_limit(server_.options.body_bytes_max);
        idle_ = buffer_.size() == 0;
        // One deadline for the whole header: a client that trickles bytes gains nothing.
        stream_.expires_after(server_.options.idle_timeout);
        bhttp::async_read_header(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](error_code error, std::size_t) { self->on_header(error); });
    }

    /// Ends at once when nothing is being answered, else after the answer.
    void stop() {
        closing_ = true;
        if (idle_) stream_.cancel();
    }

  private:
    void on_header(error_code error) {
        idle_ = false;
        if (error) return refuse(error);
        stream_.expires_after(server_.options.idle_timeout);
        if (beast::iequals(parser_->get()[bhttp::field::expect], "100-continue")) {
            continue_.result(bhttp::status::continue_);
            return bhttp::async_write(stream_, continue_,
                                      [self = shared_from_this()](error_code failed, std::size_t) {
                                          if (!failed) self->read_body();
                                      });
        }
        read_body();
    }

    void read_body() {
        bhttp::async_read(stream_, buffer_, *parser_,
                          [self = shared_from_this()](error_code error, std::size_t) {
                              if (error) return self->refuse(error);
                              self->handle();
                          });
    }

    void handle() {
        version_ = parser_->get().version();
        keep_alive_ = parser_->get().keep_alive();
        head_only_ = parser_->get().method() == bhttp::verb::head;
        auto request = to_request(parser_->release(), remote_address_);
        if (!request) return refuse_with(plain(400, "the request target is malformed"));
        stream_.expires_never();
        auto run = [self = shared_from_this(), request = std::move(*request)]() mutable {
            Impl& server = self->server_;
            auto response = guarded_call(server.handler, request);
            // The last reference must go on the io thread, so it is moved there, not copied.
            asio::post(server.io,
                       [self = std::move(self), response = std::move(response)]() mutable {
                           self->write(std::move(response), self->keep_alive_ && !self->closing_);
                       });
        };
        asio::post(server_.handlers, std::move(run));
    }

    void write(Response response, bool keep_alive) {
        answer_ = to_message(std::move(response), version_, keep_alive, head_only_);
        stream_.expires_after(server_.options.idle_timeout);
        bhttp::async_write(stream_, *answer_,
                           [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                               if (error) return;
                               if (keep_alive && !self->closing_) return self->read_header();
                               self->drain();
                           });
    }

    void refuse(error_code error) {
        if (closing_) return;
        if (error == bhttp::error::body_limit) {
            return refuse_with(plain(413, "the body is too large"));
        }
        if (error == bhttp::error::header_limit || error == bhttp::error::buffer_overflow) {
            return refuse_with(plain(431, "the header is too large"));
        }
        // A time-out has closed the socket already, and who hung up wants no answer.
        const bool hung_up =
            error == bhttp::error::end_of_stream || error == bhttp::error::partial_message;
        if (error.category() == kHttpErrors && !hung_up) {
            refuse_with(plain(400, "the request is malformed"));
        }
    }

    void refuse_with(Response response) {
        closing_ = true;
        version_ = 11;
        write(std::move(response), false);
    }

    /// Says that no more comes from us, and reads until the client has said the same.
    void drain() {
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        stream_.expires_after(kDrainPatience);
        drain_some();
    }

    void drain_some() {
        if (server_.stopping) return;
        stream_.async_read_some(asio::buffer(dropped_),
                                [self = shared_from_this()](error_code error, std::size_t) {
                                    if (!error) self->drain_some();
                                });
    }

    Impl& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    std::string remote_address_;
    std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
    bhttp::response<bhttp::empty_body> continue_;
    std::optional<bhttp::response<bhttp::string_body>> answer_;
    std::array<char, 4096> dropped_{};
    unsigned version_ = 11;
    bool keep_alive_ = false;
    bool head_only_ = false;
    bool idle_ = false;
    bool closing_ = false;
};

void Server::Impl::accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
        if (stopping || error == asio::error::operation_aborted) return;
        if (error) {
            // Out of descriptors, most likely: accepting again at once would only spin.
            accept_retry.expires_after(kAcceptRetry);
            accept_retry.async_wait([this](error_code cancelled) {
                if (!cancelled) accept();
            });
            return;
        }
        if (sessions.size() < options.connections_max) {
            std::make_shared<Session>(*this, std::move(socket))->read_header();
        }
        accept();
    });
}

void Server::Impl::begin_stop() {
    stopping = true;
    error_code ignored;
    acceptor.close(ignored);
    accept_retry.cancel();
    for (Session* session : sessions)
        session->stop();
    if (sessions.empty()) no_session.set_value();
}

void Server::Impl::session_ended(Session* session) {
    sessions.remove(session);
    if (stopping && sessions.empty()) no_session.set_value();
}

std::optional<Fields> parse_form(std::string_view body) {
    Fields fields;
    if (!read_query(body, fields)) return std::nullopt;
    return fields;
}

std::string_view Request::header(std::string_view lower_case_name) const {
    for (const auto& [name, value] : headers) {
        if (name == lower_case_name) return value;
    }
    return {};
}

std::string_view Request::query_value(std::string_view name) const {
    for (const auto& [key, value] : query) {
        if (key == name) return value;
    }
    return {};
}

Result<std::unique_ptr<Server>> Server::start(Options options, Handler handler) {
    error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error) {
        return fail(ErrorCode::InvalidArgument,
                    "\"" + options.address + "\" is not an IP address to listen on");
    }
    const tcp::endpoint endpoint(address, options.port);
    auto impl = std::make_unique<Impl>(std::move(options), std::move(handler));
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
    impl->io_thread = std::thread([io = &impl->io] { io->run(); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
    auto finished = impl_->no_session.get_future();
    asio::post(impl_->io, [impl = impl_.get()] { impl->begin_stop(); });
    finished.wait_for(kStopPatience);
    // A handler that still runs is waited for; its answer has nowhere to go any more.
    impl_->handlers.join();
    impl_->io.stop();
    impl_->io_thread.join();
}

std::uint16_t Server::port() const {
    return impl_->port;
}

}  // namespace a2h::http
