#include "core/http/server.h"

// Boost's network headers take seconds to compile: see also connection.cpp and tls_front.cpp.
#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <thread>

#include "core/http/connection.h"
#include "core/http/listen.h"

namespace a2h::http {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Strand = asio::strand<asio::io_context::executor_type>;
using Timer = asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, Strand>;

constexpr std::chrono::seconds kStopPatience{2};
constexpr std::chrono::milliseconds kAcceptRetry{100};

}  // namespace

struct Server::Impl {
    Options options;
    Handler handler;
    ChooseBody choose_body;
    std::uint16_t port = 0;
    bool is_ipv6 = false;
    // Declared before `io`, whose destructor may still end connections.
    OpenConnections open;

    asio::io_context io;
    Strand accept_strand{asio::make_strand(io)};
    asio::basic_socket_acceptor<tcp, Strand> acceptor{accept_strand};
    Timer accept_retry{accept_strand};
    // Keeps the I/O threads alive while a handler is the only work left.
    asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
    asio::thread_pool handlers;
    std::vector<std::thread> io_threads;

    Impl(Options given, Handler given_handler, ChooseBody given_choice)
        : options(std::move(given)),
          handler(std::move(given_handler)),
          choose_body(std::move(given_choice)),
          open(options.connections_max),
          handlers(static_cast<std::size_t>(std::max(1, options.handler_threads))) {}

    void accept();
    void begin_stop();
};

void Server::Impl::accept() {
    acceptor.async_accept([this](error_code error, auto socket) {
        if (error == asio::error::operation_aborted || !acceptor.is_open()) return;
        if (error) {
            // Probably no descriptor is free; accepting again at once would only spin.
            accept_retry.expires_after(kAcceptRetry);
            accept_retry.async_wait([this](error_code cancelled) {
                if (!cancelled) accept();
            });
            return;
        }
        const int descriptor = socket.release(error);
        if (!error) serve({options, handler, choose_body, open, io, handlers}, descriptor, is_ipv6);
        accept();
    });
}

void Server::Impl::begin_stop() {
    error_code ignored;
    acceptor.close(ignored);
    accept_retry.cancel();
    open.stop();
}

Result<std::unique_ptr<Server>> Server::start(Options options, Handler handler,
                                              ChooseBody choose_body) {
    auto impl =
        std::make_unique<Impl>(std::move(options), std::move(handler), std::move(choose_body));
    const auto given = impl->options.listener;
    A2H_ASSIGN_OR_RETURN(
        const auto listener,
        given ? Result<Listener>(*given) : listen_on(impl->options.address, impl->options.port));
    impl->is_ipv6 = listener.is_ipv6;
    impl->acceptor.assign(listener.is_ipv6 ? tcp::v6() : tcp::v4(), listener.descriptor);
    impl->port = listener.port;
    impl->accept();
    for (int i = 0; i < std::max(1, impl->options.io_threads); ++i)
        impl->io_threads.emplace_back([io = &impl->io] { io->run(); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() {
    asio::post(impl_->accept_strand, [impl = impl_.get()] { impl->begin_stop(); });
    impl_->open.wait_until_gone(kStopPatience);
    // A running handler is waited for; its answer cannot be sent any more.
    impl_->handlers.join();
    impl_->io.stop();
    for (auto& thread : impl_->io_threads)
        thread.join();
}

std::uint16_t Server::port() const {
    return impl_->port;
}

}  // namespace a2h::http
