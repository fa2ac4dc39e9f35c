// The bare Beast server: what an HTTP answer costs when nothing is checked, looked up or made.
// Asynchronous, one strand a connection, keep-alive, the same short JSON for every request.
//
//   baseline_hello THREADS      prints "listening on PORT"; ends on SIGTERM or SIGINT

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

class Session : public std::enable_shared_from_this<Session> {
  public:
    explicit Session(tcp::socket socket) : stream_(std::move(socket)) {}

    void read() {
        request_ = {};
        http::async_read(stream_, buffer_, request_,
                         [self = shared_from_this()](beast::error_code error, std::size_t) {
                             if (!error) self->write();
                         });
    }

  private:
    void write() {
        response_ = {http::status::ok, request_.version()};
        response_.set(http::field::content_type, "application/json");
        response_.keep_alive(request_.keep_alive());
        response_.body() = R"({"message":"hello"})";
        response_.prepare_payload();
        http::async_write(stream_, response_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error && self->response_.keep_alive()) self->read();
                          });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> response_;
};

void accept(asio::io_context& io, tcp::acceptor& acceptor) {
    acceptor.async_accept(asio::make_strand(io), [&](beast::error_code error, tcp::socket socket) {
        if (error) return;
        socket.set_option(tcp::no_delay(true));
        std::make_shared<Session>(std::move(socket))->read();
        accept(io, acceptor);
    });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const int threads = std::atoi(argv[1]);
    asio::io_context io{threads};
    tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    asio::signal_set ends(io, SIGTERM, SIGINT);
    ends.async_wait([&io](beast::error_code, int) { io.stop(); });
    accept(io, acceptor);
    std::printf("listening on %d\n", acceptor.local_endpoint().port());
    std::fflush(stdout);
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
        others.emplace_back([&io] { io.run(); });
    io.run();
    for (auto& other : others)
        other.join();
    return 0;
}
