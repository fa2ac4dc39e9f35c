#include "core/http/tls_front.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <thread>
#include <unordered_set>
#include <utility>

#include "core/http/listen.h"

namespace a2h::http {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptRetry{100};

Result<void> load(ssl::context& context, const TlsFront::Options& options) {
    error_code error;
    context.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                        ssl::context::no_tlsv1_1 | ssl::context::single_dh_use);
    context.use_certificate_chain_file(options.certificate_file.string(), error);
    if (error) {
        return fail(ErrorCode::InvalidArgument, options.certificate_file.string() +
                                                    " is not a certificate: " + error.message());
    }
    context.use_private_key_file(options.key_file.string(), ssl::context::pem, error);
    if (error) {
        return fail(
            ErrorCode::InvalidArgument,
            options.key_file.string() + " is not the key of this certificate: " + error.message());
    }
    return {};
}

}  // namespace

/// Everything runs on `thread`.
struct TlsFront::Impl {
    class Relay;

    explicit Impl(Options given) : options(std::move(given)) {}

    void accept();

    Options options;
    std::uint16_t port = 0;
    std::unordered_set<Relay*> relays;
    ssl::context context{ssl::context::tls_server};
    asio::io_context io{1};
    tcp::acceptor acceptor{io};
    asio::steady_timer retry{io};
    std::thread thread;
};

/// One connection and its counterpart. The pending operations keep it alive.
class TlsFront::Impl::Relay : public std::enable_shared_from_this<Relay> {
  public:
    Relay(Impl& front, tcp::socket socket)
        : front_(front),
          outside_(std::move(socket), front.context),
          inside_(front.io),
          deadline_(front.io) {
        front_.relays.insert(this);
    }
    ~Relay() { front_.relays.erase(this); }
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    void start() {
        error_code ignored;
        outside_.lowest_layer().set_option(tcp::no_delay(true), ignored);
        deadline_.expires_after(front_.options.handshake_timeout);
        deadline_.async_wait([self = shared_from_this()](error_code cancelled) {
            if (!cancelled) self->close();
        });
        outside_.async_handshake(ssl::stream_base::server,
                                 [self = shared_from_this()](error_code error) {
                                     if (!error) return self->connect();
                                     self->close();
                                 });
    }

  private:
    void connect() {
        const tcp::endpoint target(asio::ip::address_v4::loopback(), front_.options.target_port);
        inside_.async_connect(target, [self = shared_from_this()](error_code error) {
            self->deadline_.cancel();
            if (error) return self->close();
            error_code ignored;
            self->inside_.set_option(tcp::no_delay(true), ignored);
            self->pass(self->outside_, self->inside_, self->inward_);
            self->pass(self->inside_, self->outside_, self->outward_);
        });
    }

    template <typename From, typename To>
    void pass(From& from, To& to, std::array<char, 16 * 1024>& buffer) {
        from.async_read_some(asio::buffer(buffer), [self = shared_from_this(), &from, &to, &buffer](
                                                       error_code error, std::size_t bytes) {
            if (error) return self->end();
            asio::async_write(to, asio::buffer(buffer, bytes),
                              [self, &from, &to, &buffer](error_code failed, std::size_t) {
                                  if (failed) return self->close();
                                  self->pass(from, to, buffer);
                              });
        });
    }

    /// One side has sent its last byte. All that it sent was passed on.
    void end() {
        if (std::exchange(ending_, true)) return;
        error_code ignored;
        inside_.close(ignored);
        deadline_.expires_after(front_.options.handshake_timeout);
        deadline_.async_wait([self = shared_from_this()](error_code cancelled) {
            if (!cancelled) self->close();
        });
        outside_.async_shutdown([self = shared_from_this()](error_code) { self->close(); });
    }

    void close() {
        error_code ignored;
        deadline_.cancel();
        inside_.close(ignored);
        outside_.lowest_layer().close(ignored);
    }

    Impl& front_;
    ssl::stream<tcp::socket> outside_;
    tcp::socket inside_;
    asio::steady_timer deadline_;
    std::array<char, 16 * 1024> inward_{};
    std::array<char, 16 * 1024> outward_{};
    bool ending_ = false;
};

void TlsFront::Impl::accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (error) {
            // Probably no descriptor is free; accepting again at once would only spin.
            retry.expires_after(kAcceptRetry);
            retry.async_wait([this](error_code cancelled) {
                if (!cancelled) accept();
            });
            return;
        }
        if (relays.size() < options.connections_max) {
            std::make_shared<Relay>(*this, std::move(socket))->start();
        }
        accept();
    });
}

Result<std::unique_ptr<TlsFront>> TlsFront::start(Options options) {
    auto impl = std::make_unique<Impl>(std::move(options));
    A2H_TRY(load(impl->context, impl->options));
    A2H_ASSIGN_OR_RETURN(const auto listener, listen_on(impl->options.address, impl->options.port));
    impl->acceptor.assign(listener.is_ipv6 ? tcp::v6() : tcp::v4(), listener.descriptor);
    impl->port = listener.port;
    impl->accept();
    impl->thread = std::thread([io = &impl->io] { io->run(); });
    return std::unique_ptr<TlsFront>(new TlsFront(std::move(impl)));
}

TlsFront::TlsFront(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TlsFront::~TlsFront() {
    // Pending operations, and with them the relays, are destroyed with `io`.
    impl_->io.stop();
    impl_->thread.join();
}

std::uint16_t TlsFront::port() const {
    return impl_->port;
}

}  // namespace a2h::http
