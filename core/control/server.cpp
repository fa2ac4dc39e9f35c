#include "core/control/server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/log.h"
#include "core/control/framing.h"
#include "core/control/socket_io.h"

namespace a2h::control {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr int kListenBacklog = 64;
/// How long no client is accepted if the process has no descriptor left.
constexpr int kAcceptPauseMs = 100;

/// Wakes the server's thread. A `Respond` can keep it alive beyond the server.
struct Alarm {
    Fd wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    std::atomic<bool> stop = false;

    void ring() const {
        // This fails only if the counter is full, and then the server wakes up anyway.
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t ignored = ::write(wake.get(), &one, sizeof one);
    }
};

/// The state of one client that the server's thread shares with answering threads. An answering
/// thread sends as much as possible at once, which saves waking the server's thread; that one sends
/// the rest.
struct Connection {
    Fd fd;
    std::mutex
        mutex;  ///< protects all members below, and is held while sending, so that lines stay whole
    std::string out;
    std::size_t sent = 0;  ///< bytes of `out` that were sent
    std::size_t pending = 0;
    bool broken = false;    ///< must be disconnected now
    bool finished = false;  ///< sends no more requests; disconnected when all are answered
    bool closed = false;    ///< disconnected

    void flush() {
        while (sent < out.size()) {
            const ssize_t written =
                ::send(fd.get(), out.data() + sent, out.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (written < 0) {
                if (errno == EINTR) continue;
                broken = errno != EAGAIN;
                return;
            }
            sent += static_cast<std::size_t>(written);
        }
        out.clear();
        sent = 0;
    }
    bool is_read_from() const { return !finished && pending < Server::kPendingMax; }
};

/// Held by a `Respond` and its copies. When the last one is gone, the request no longer counts.
struct Ticket {
    std::shared_ptr<Alarm> alarm;
    std::shared_ptr<Connection> client;

    Ticket(std::shared_ptr<Alarm> bell, std::shared_ptr<Connection> connection)
        : alarm(std::move(bell)), client(std::move(connection)) {}
    ~Ticket() {
        bool waited_for = false;
        {
            const std::lock_guard lock(client->mutex);
            waited_for = client->finished || !client->is_read_from();
            --client->pending;
        }
        if (waited_for) alarm->ring();
    }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    void answer(const std::string& line) const {
        bool left = false;
        {
            const std::lock_guard lock(client->mutex);
            if (client->closed || client->broken) return;
            const bool idle = client->out.empty();
            client->out += line;
            client->out += '\n';
            if (idle) client->flush();
            if (client->out.size() - client->sent > Server::kWriteBufferBytesMax) {
                log::warning("A control client does not read its answers; disconnecting it");
                client->broken = true;
            }
            left = client->broken || !client->out.empty();
        }
        if (left) alarm->ring();
    }
};

bool is_served(int fd) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    return peer.uid == ::geteuid() || peer.uid == 0;
}

/// Removes only a socket, and only if no process listens on it.
Result<void> remove_stale_socket(const std::filesystem::path& path) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) return {};
    if (!S_ISSOCK(found.st_mode)) {
        return fail(ErrorCode::Unavailable, path.string() + " exists and is not a socket");
    }
    if (connect_unix(path)) {
        return fail(ErrorCode::Conflict, path.string() + ": another a2hd is running");
    }
    ::unlink(path.c_str());
    return {};
}

}  // namespace

struct Server::Impl {
    /// A client in the server's thread.
    struct Peer {
        std::shared_ptr<Connection> connection;
        LineSplitter splitter{kLineBytesMax};
    };

    std::filesystem::path path;  ///< empty: the socket file is not ours
    OnLine on_line;
    Fd listener;
    struct stat socket_file {};
    std::shared_ptr<Alarm> alarm = std::make_shared<Alarm>();
    std::list<Peer> peers;
    bool accept_paused = false;
    std::thread thread;

    void run();
    void serve(Peer& peer, short events);
    void accept_clients();
    static void read_from(Peer& peer);
    void deliver(Peer& peer);
    static bool is_over(Peer& peer);
    void remove_socket_file() const;
};

void Server::Impl::run() {
    std::vector<pollfd> waiting;
    while (true) {
        waiting.assign(
            {{alarm->wake.get(), POLLIN, 0}, {accept_paused ? -1 : listener.get(), POLLIN, 0}});
        for (const Peer& peer : peers) {
            const std::lock_guard lock(peer.connection->mutex);
            const int events = (peer.connection->is_read_from() ? POLLIN : 0) |
                               (peer.connection->out.empty() ? 0 : POLLOUT);
            waiting.push_back({peer.connection->fd.get(), static_cast<short>(events), 0});
        }
        if (::poll(waiting.data(), waiting.size(), accept_paused ? kAcceptPauseMs : -1) < 0 &&
            errno != EINTR) {
            log::error("The control socket has stopped working", {{"error", errno_text()}});
            return;
        }
        accept_paused = false;
        if ((waiting[0].revents & POLLIN) != 0) {
            std::uint64_t count = 0;
            [[maybe_unused]] const ssize_t ignored =
                ::read(alarm->wake.get(), &count, sizeof count);
        }
        if (alarm->stop) return;
        std::size_t i = 2;
        for (Peer& peer : peers)
            serve(peer, waiting[i++].revents);
        std::erase_if(peers, is_over);
        if ((waiting[1].revents & POLLIN) != 0) accept_clients();
    }
}

void Server::Impl::serve(Peer& peer, short events) {
    Connection& client = *peer.connection;
    {
        const std::lock_guard lock(client.mutex);
        if ((events & (POLLERR | POLLNVAL)) != 0) client.broken = true;
        if ((events & (POLLIN | POLLHUP)) != 0 && !client.finished) read_from(peer);
        if ((events & POLLHUP) != 0 && client.finished) client.broken = true;
    }
    deliver(peer);
    const std::lock_guard lock(client.mutex);
    if (!client.broken) client.flush();
}

/// True if the client has to be removed, which then disconnects it.
bool Server::Impl::is_over(Peer& peer) {
    Connection& client = *peer.connection;
    const std::lock_guard lock(client.mutex);
    const bool done = client.finished && client.pending == 0 && client.out.empty();
    if (!client.broken && !done) return false;
    client.closed = true;
    client.fd.reset();
    return true;
}

void Server::Impl::remove_socket_file() const {
    if (path.empty()) return;
    struct stat now {};
    if (::lstat(path.c_str(), &now) == 0 && now.st_ino == socket_file.st_ino &&
        now.st_dev == socket_file.st_dev) {
        ::unlink(path.c_str());
    }
}

void Server::Impl::accept_clients() {
    while (true) {
        Fd fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            accept_paused = errno != EAGAIN;
            if (accept_paused)
                log::warning("A control client could not be accepted", {{"error", errno_text()}});
            return;
        }
        if (!is_served(fd.get())) {
            log::warning("A control client of another user was refused");
            continue;
        }
        if (peers.size() >= kClientsMax) {
            log::warning("A control client was refused because too many are connected");
            continue;
        }
        peers.emplace_back().connection = std::make_shared<Connection>();
        peers.back().connection->fd = std::move(fd);
    }
}

/// The caller holds the connection's mutex.
void Server::Impl::read_from(Peer& peer) {
    Connection& client = *peer.connection;
    char bytes[kReadBytes];
    const ssize_t got = ::recv(client.fd.get(), bytes, sizeof bytes, 0);
    if (got > 0) {
        peer.splitter.append({bytes, static_cast<std::size_t>(got)});
    } else if (got == 0) {
        client.finished = true;
    } else if (errno != EAGAIN && errno != EINTR) {
        client.broken = true;
    }
}

void Server::Impl::deliver(Peer& peer) {
    Connection& client = *peer.connection;
    while (true) {
        std::optional<LineSplitter::Line> line;
        {
            const std::lock_guard lock(client.mutex);
            if (client.broken || client.pending >= kPendingMax) return;
            line = peer.splitter.next();
            if (!line) return;
            if (line->too_long) {
                log::warning("A control client sent a line that is too long; disconnecting it");
                client.broken = true;
                return;
            }
            ++client.pending;
        }
        // Without the mutex, because the answer may be sent at once.
        on_line(std::move(line->text), [ticket = std::make_shared<Ticket>(alarm, peer.connection)](
                                           const std::string& answer) { ticket->answer(answer); });
    }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Server>> Server::start(const std::filesystem::path& path, OnLine on_line) {
    A2H_ASSIGN_OR_RETURN(auto address, unix_address(path));
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->on_line = std::move(on_line);
    impl->listener.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int fd = impl->listener.get();
    // The socket's mode becomes that of the file, so the file is never open to others, not even
    // between bind and chmod.
    if (fd < 0 || !impl->alarm->wake || ::fchmod(fd, 0600) != 0) {
        return fail(ErrorCode::Unavailable, path.string() + ": " + errno_text());
    }
    A2H_TRY(remove_stale_socket(path));
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(fd, kListenBacklog) != 0 || ::lstat(path.c_str(), &impl->socket_file) != 0) {
        return fail(ErrorCode::Unavailable, path.string() + ": " + errno_text());
    }
    impl->thread = std::thread([state = impl.get()] { state->run(); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Result<std::unique_ptr<Server>> Server::adopt(int listener, OnLine on_line) {
    auto impl = std::make_unique<Impl>();
    impl->listener.reset(listener);
    impl->on_line = std::move(on_line);
    if (!impl->alarm->wake) {
        return fail(ErrorCode::Unavailable, "the control socket: " + errno_text());
    }
    impl->thread = std::thread([state = impl.get()] { state->run(); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::~Server() {
    impl_->alarm->stop = true;
    impl_->alarm->ring();
    impl_->thread.join();
    // First, so that a client that sees the end of its connection finds no socket.
    impl_->remove_socket_file();
    for (Impl::Peer& peer : impl_->peers) {
        const std::lock_guard lock(peer.connection->mutex);
        // The answer to "stop" may still have to be sent.
        if (!peer.connection->broken) peer.connection->flush();
        peer.connection->closed = true;
        peer.connection->fd.reset();
    }
}

}  // namespace a2h::control
