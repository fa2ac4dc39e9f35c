#include "tests/support/packet_proxy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/check.h"

namespace a2h::test {
namespace {

using SteadyClock = std::chrono::steady_clock;

void set_options(int fd) {
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// Length of the first whole packet in `bytes`; nullopt when more must be read.
std::optional<std::size_t> packet_length(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 1; i < 5 && i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        length |= static_cast<std::size_t>(byte & 0x7f) << (7 * (i - 1));
        if ((byte & 0x80) != 0) continue;
        const std::size_t whole = 1 + i + length;
        return bytes.size() >= whole ? std::optional(whole) : std::nullopt;
    }
    return std::nullopt;
}

/// One direction of one connection.
struct Pipe {
    struct Item {
        Packet packet;
        std::string bytes;
        SteadyClock::time_point due;
    };
    int from = -1;
    int to = -1;
    bool from_client = false;
    std::string unread;       ///< less than one packet
    std::deque<Item> queued;  ///< read, not yet on its way
    std::string unsent;       ///< logged, the socket was full
};

struct Link {
    int number = 0;
    Pipe up;
    Pipe down;
};

}  // namespace

std::string to_string(PacketType type) {
    static constexpr std::array names{"?",         "CONNECT",  "CONNACK",     "PUBLISH",
                                      "PUBACK",    "PUBREC",   "PUBREL",      "PUBCOMP",
                                      "SUBSCRIBE", "SUBACK",   "UNSUBSCRIBE", "UNSUBACK",
                                      "PINGREQ",   "PINGRESP", "DISCONNECT",  "AUTH"};
    return names.at(static_cast<std::size_t>(type));
}

struct PacketProxy::Impl {
    Impl(std::uint16_t port_of_server, Content carried);
    ~Impl();

    void run();
    void wake() const;
    void accept_one();
    bool read_into(Pipe& pipe, int number);
    void queue_packets(Pipe& pipe, int number);
    bool forward(Pipe& pipe);
    bool may_leave(const Pipe::Item& item, SteadyClock::time_point now) const;
    int poll_timeout() const;
    void close_link(const Link& link) const;

    const std::uint16_t server_port;
    const Content content;
    std::uint16_t port = 0;
    int listener = -1;
    int wake_fd = -1;

    mutable std::mutex mutex;  // all below
    bool stopping = false;
    bool refusing = false;
    bool halving = false;
    bool repeating = false;
    bool breaking_off = false;
    std::chrono::milliseconds delay{0};
    std::function<bool(const Packet&)> keep;
    std::vector<Packet> log;
    std::list<Link> links;
    int next_number = 0;

    std::thread thread;
};

PacketProxy::Impl::Impl(std::uint16_t port_of_server, Content carried)
    : server_port(port_of_server), content(carried) {
    listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    auto address = loopback(0);
    socklen_t length = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    A2H_CHECK(::bind(listener, raw, length) == 0 && ::listen(listener, 64) == 0);
    A2H_CHECK(::getsockname(listener, raw, &length) == 0);
    port = ntohs(address.sin_port);
    wake_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    thread = std::thread([this] { run(); });
}

PacketProxy::Impl::~Impl() {
    {
        const std::lock_guard lock(mutex);
        stopping = true;
    }
    wake();
    thread.join();
    for (const Link& link : links)
        close_link(link);
    ::close(listener);
    ::close(wake_fd);
}

void PacketProxy::Impl::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_fd, &one, sizeof one);
}

void PacketProxy::Impl::close_link(const Link& link) const {
    ::close(link.up.from);
    ::close(link.up.to);
}

void PacketProxy::Impl::accept_one() {
    const int client = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const int broker = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = loopback(server_port);
    if (refusing ||
        ::connect(broker, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(client);
        ::close(broker);
        return;
    }
    for (const int fd : {client, broker}) {
        set_options(fd);
        ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    Link link;
    link.number = next_number++;
    link.up = {client, broker, true, {}, {}, {}};
    link.down = {broker, client, false, {}, {}, {}};
    links.push_back(std::move(link));
}

/// False when the connection has ended.
bool PacketProxy::Impl::read_into(Pipe& pipe, int number) {
    std::array<char, 65536> chunk{};
    const ssize_t got = ::recv(pipe.from, chunk.data(), chunk.size(), 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    pipe.unread.append(chunk.data(), static_cast<std::size_t>(got));
    if (content == Content::Mqtt) {
        queue_packets(pipe, number);
    } else {
        Packet piece;
        piece.from_client = pipe.from_client;
        piece.connection = number;
        pipe.queued.push_back(
            {piece, std::exchange(pipe.unread, std::string()), SteadyClock::now() + delay});
    }
    return true;
}

void PacketProxy::Impl::queue_packets(Pipe& pipe, int number) {
    std::size_t used = 0;
    while (const auto length = packet_length(std::string_view(pipe.unread).substr(used))) {
        const auto head = static_cast<unsigned char>(pipe.unread[used]);
        Packet packet;
        packet.from_client = pipe.from_client;
        packet.type = static_cast<PacketType>(head >> 4);
        packet.duplicate = packet.type == PacketType::Publish && (head & 0x08) != 0;
        packet.connection = number;
        pipe.queued.push_back(
            {packet, pipe.unread.substr(used, *length), SteadyClock::now() + delay});
        const bool is_at_qos_1 = packet.type == PacketType::Publish && (head & 0x06) == 0x02;
        if (repeating && is_at_qos_1 && !packet.duplicate) {
            Pipe::Item again = pipe.queued.back();
            again.packet.duplicate = true;
            again.bytes[0] = static_cast<char>(head | 0x08);
            pipe.queued.push_back(std::move(again));
        }
        used += *length;
    }
    pipe.unread.erase(0, used);
}

bool PacketProxy::Impl::may_leave(const Pipe::Item& item, SteadyClock::time_point now) const {
    return item.due <= now && !(keep && keep(item.packet));
}

/// False when the other side has gone.
bool PacketProxy::Impl::forward(Pipe& pipe) {
    const auto now = SteadyClock::now();
    while (!pipe.queued.empty() && may_leave(pipe.queued.front(), now)) {
        log.push_back(pipe.queued.front().packet);
        pipe.unsent += pipe.queued.front().bytes;
        pipe.queued.pop_front();
    }
    if (pipe.unsent.empty()) return true;
    if (breaking_off && !pipe.from_client) {
        ::send(pipe.to, pipe.unsent.data(), pipe.unsent.size() / 2, MSG_NOSIGNAL);
        return false;
    }
    const std::size_t size = halving ? (pipe.unsent.size() + 1) / 2 : pipe.unsent.size();
    const ssize_t sent = ::send(pipe.to, pipe.unsent.data(), size, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    pipe.unsent.erase(0, static_cast<std::size_t>(sent));
    return true;
}

int PacketProxy::Impl::poll_timeout() const {
    if (delay.count() == 0) return -1;
    for (const Link& link : links) {
        if (!link.up.queued.empty() || !link.down.queued.empty()) return 1;
    }
    return -1;
}

void PacketProxy::Impl::run() {
    while (true) {
        std::vector<pollfd> fds{{wake_fd, POLLIN, 0}, {listener, POLLIN, 0}};
        int timeout = -1;
        {
            const std::lock_guard lock(mutex);
            if (stopping) return;
            for (const Link& link : links) {
                // Uplink data is read from the client's socket; downlink data is written to it.
                const auto events = [](const Pipe& written_here) {
                    return static_cast<short>(POLLIN | (written_here.unsent.empty() ? 0 : POLLOUT));
                };
                fds.push_back({link.up.from, events(link.down), 0});
                fds.push_back({link.down.from, events(link.up), 0});
            }
            timeout = poll_timeout();
        }
        ::poll(fds.data(), fds.size(), timeout);
        std::uint64_t ignored = 0;
        [[maybe_unused]] const auto drained = ::read(wake_fd, &ignored, sizeof ignored);
        const std::lock_guard lock(mutex);
        accept_one();
        for (auto link = links.begin(); link != links.end();) {
            const bool alive = read_into(link->up, link->number) &&
                               read_into(link->down, link->number) && forward(link->up) &&
                               forward(link->down);
            if (!alive) close_link(*link);
            link = alive ? std::next(link) : links.erase(link);
        }
    }
}

PacketProxy::PacketProxy(std::uint16_t server_port, Content content)
    : impl_(std::make_unique<Impl>(server_port, content)) {}
PacketProxy::~PacketProxy() = default;

std::uint16_t PacketProxy::port() const {
    return impl_->port;
}

std::vector<Packet> PacketProxy::log() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->log;
}

std::size_t PacketProxy::count(bool from_client, PacketType type) const {
    std::size_t found = 0;
    for (const Packet& packet : log()) {
        if (packet.from_client == from_client && packet.type == type) ++found;
    }
    return found;
}

void PacketProxy::clear_log() {
    const std::lock_guard lock(impl_->mutex);
    impl_->log.clear();
}

void PacketProxy::hold(std::function<bool(const Packet&)> keep) {
    const std::lock_guard lock(impl_->mutex);
    impl_->keep = std::move(keep);
}

void PacketProxy::release() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->keep = nullptr;
    }
    impl_->wake();
}

std::size_t PacketProxy::held() const {
    const std::lock_guard lock(impl_->mutex);
    std::size_t total = 0;
    for (const Link& link : impl_->links)
        total += link.up.queued.size() + link.down.queued.size();
    return total;
}

void PacketProxy::delay(std::chrono::milliseconds time) {
    const std::lock_guard lock(impl_->mutex);
    impl_->delay = time;
}

void PacketProxy::halve(bool on) {
    const std::lock_guard lock(impl_->mutex);
    impl_->halving = on;
}

void PacketProxy::repeat(bool on) {
    const std::lock_guard lock(impl_->mutex);
    impl_->repeating = on;
}

void PacketProxy::break_off(bool on) {
    const std::lock_guard lock(impl_->mutex);
    impl_->breaking_off = on;
}

void PacketProxy::say_as_client(int connection, std::string_view packet) {
    {
        const std::lock_guard lock(impl_->mutex);
        for (Link& link : impl_->links) {
            if (link.number == connection) link.up.unsent += packet;
        }
    }
    impl_->wake();
}

void PacketProxy::cut() {
    const std::lock_guard lock(impl_->mutex);
    for (const Link& link : impl_->links) {
        // Not closed here: the thread may be waiting on the descriptors.
        ::shutdown(link.up.from, SHUT_RDWR);
        ::shutdown(link.up.to, SHUT_RDWR);
    }
}

void PacketProxy::refuse(bool on) {
    const std::lock_guard lock(impl_->mutex);
    impl_->refusing = on;
}

}  // namespace a2h::test
