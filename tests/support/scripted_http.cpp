#include "tests/support/scripted_http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <list>
#include <mutex>
#include <thread>

#include "core/base/check.h"

namespace a2h::test {
namespace {

class SocketPeer final : public ScriptedHttp::Peer {
  public:
    explicit SocketPeer(int descriptor) : descriptor_(descriptor) {
        const int yes = 1;
        ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }

    bool send(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

    bool drip(std::string_view bytes, std::size_t size) override {
        for (std::size_t i = 0; i < bytes.size(); i += size) {
            if (!send(bytes.substr(i, size))) return false;
            std::this_thread::yield();
        }
        return true;
    }

    void hang() override {
        char ignored[1024];
        while (::recv(descriptor_, ignored, sizeof ignored, 0) > 0) {
        }
    }

    void reset() override {
        const linger at_once{1, 0};
        ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }

    bool read_request(ScriptedHttp::Request& request) {
        std::string text;
        std::size_t head_end = std::string::npos;
        std::size_t wanted = 0;
        while (head_end == std::string::npos || text.size() < wanted) {
            char chunk[4096];
            const ssize_t got = ::recv(descriptor_, chunk, sizeof chunk, 0);
            if (got <= 0) return false;
            text.append(chunk, static_cast<std::size_t>(got));
            if (head_end != std::string::npos) continue;
            head_end = text.find("\r\n\r\n");
            if (head_end == std::string::npos) continue;
            request.head = text.substr(0, head_end + 2);
            const std::string length = request.header("content-length");
            std::from_chars(length.data(), length.data() + length.size(), wanted);
            wanted += head_end + 4;
        }
        request.body = text.substr(head_end + 4);
        return true;
    }

  private:
    const int descriptor_;
};

}  // namespace

std::string ScriptedHttp::Request::header(std::string_view lower_case_name) const {
    for (std::size_t begin = 0; begin < head.size();) {
        const std::size_t end = std::min(head.find("\r\n", begin), head.size());
        std::string line = head.substr(begin, end - begin);
        begin = end + 2;
        const auto colon = line.find(':');
        if (colon != lower_case_name.size()) continue;
        std::transform(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                       line.begin(), [](unsigned char c) { return std::tolower(c); });
        if (!line.starts_with(lower_case_name)) continue;
        const auto value = line.find_first_not_of(' ', colon + 1);
        return value == std::string::npos ? std::string() : line.substr(value);
    }
    return {};
}

bool ScriptedHttp::Peer::answer(int status, std::string_view body, std::string_view headers) {
    return send("HTTP/1.1 " + std::to_string(status) +
                " Scripted\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\nConnection: close\r\n" + std::string(headers) + "\r\n" + std::string(body));
}

bool ScriptedHttp::Peer::begin_stream() {
    return send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
}

struct ScriptedHttp::Impl {
    Script script;
    int listener = -1;
    std::uint16_t port = 0;
    mutable std::mutex mutex;
    std::vector<Request> requests;
    std::vector<int> open;  ///< descriptors of connections that are served
    std::list<std::thread> threads;
    std::thread acceptor;
    bool stopping = false;

    void accept_all() {
        for (int number = 0;; ++number) {
            const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (descriptor < 0) return;
            const std::lock_guard lock(mutex);
            if (stopping) {
                ::close(descriptor);
                return;
            }
            open.push_back(descriptor);
            threads.emplace_back([this, descriptor, number] { serve(descriptor, number); });
        }
    }

    void serve(int descriptor, int number) {
        SocketPeer peer(descriptor);
        Request request;
        request.number = number;
        if (peer.read_request(request)) {
            {
                const std::lock_guard lock(mutex);
                requests.push_back(request);
            }
            script(peer, request);
        }
        const std::lock_guard lock(mutex);
        open.erase(std::find(open.begin(), open.end(), descriptor));
        ::close(descriptor);
    }
};

ScriptedHttp::ScriptedHttp(Script script) : impl_(std::make_unique<Impl>()) {
    impl_->script = std::move(script);
    impl_->listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    A2H_CHECK(::bind(impl_->listener, raw, length) == 0);
    A2H_CHECK(::listen(impl_->listener, 64) == 0);
    A2H_CHECK(::getsockname(impl_->listener, raw, &length) == 0);
    impl_->port = ntohs(address.sin_port);
    impl_->acceptor = std::thread([impl = impl_.get()] { impl->accept_all(); });
}

ScriptedHttp::~ScriptedHttp() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stopping = true;
        for (const int descriptor : impl_->open)
            ::shutdown(descriptor, SHUT_RDWR);
    }
    ::shutdown(impl_->listener, SHUT_RDWR);
    impl_->acceptor.join();
    for (auto& thread : impl_->threads)
        thread.join();
    ::close(impl_->listener);
}

std::uint16_t ScriptedHttp::port() const {
    return impl_->port;
}

std::string ScriptedHttp::url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(impl_->port) + std::string(path);
}

std::vector<ScriptedHttp::Request> ScriptedHttp::requests() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->requests;
}

}  // namespace a2h::test
